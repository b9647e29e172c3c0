import { expect, test } from 'vitest'
import { closed, request, response } from '../../../test/support/log.ts'
import { startClient } from '../../../test/support/start-client.ts'
import { settle } from '../../../test/support/virtual-environment.ts'
import { onAnnouncement } from './on-announcement.ts'

async function start() {
  const it = startClient({}, (server) => server.append(request('i0'), request('i1'), response('i0')))
  const said: string[] = []
  const away = onAnnouncement(it.client, ({ kind, interactionId }) => said.push(`${interactionId} ${kind}`))
  await settle()
  return { ...it, said, away }
}

test('onAnnouncement reports only what happens after the session is ready', async () => {
  const { server, said, away } = await start()
  expect(said).toEqual([])
  server.emit(request('i2'), response('i1'))
  expect(said).toEqual(['i1 answered', 'i2 asked'])
  server.emit(closed('i2', 'expired'))
  server.emit(closed('i1', 'failed'))
  expect(said.slice(2)).toEqual(['i2 closed', 'i1 closed'])
  away()
  server.emit(request('i3'))
  expect(said).toHaveLength(4)
})

test('a reprompt is announced once, by the new question, and changes without an announcement are not reported', async () => {
  const { server, client, said } = await start()
  server.emit(request('i2', { replaces: 'i1', attempt: 2 }))
  client.setInteractionMode(false)
  server.drop()
  expect(said).toEqual(['i2 asked'])
})

test('a listener that changes the state itself receives every announcement', async () => {
  const { server, client, said } = await start()
  let once = true
  client.subscribe(() => {
    if (once) server.emit(request('i3'))
    once = false
  }, 'interaction:i2')
  server.emit(request('i2'))
  expect(said).toEqual(['i2 asked', 'i3 asked'])
})
