import { describe, expect, test } from 'vitest'
import { createHoldpointClient } from '../src/client/create-client.ts'
import { cursorAt } from '../src/wire/index.ts'
import { content, request, response } from './support/log.ts'
import { scriptedServer } from './support/scripted-server.ts'
import { settle, virtualEnvironment } from './support/virtual-environment.ts'

/** The requirements of PROTOCOL.md for clients, tested with ours. */
function start() {
  const server = scriptedServer()
  const world = virtualEnvironment()
  const client = createHoldpointClient({
    sessionId: 'task-42',
    clientId: 'tab-1',
    transport: server.transport,
    environment: world.env,
  })
  const connects = () => server.calls.filter((call) => call.startsWith('connect'))
  return { server, world, client, connects }
}

test('HP-CLI-1 an event at or before the cursor is dropped and changes nothing', async () => {
  const { server, client } = start()
  const heard: string[] = []
  client.onEvent((event) => void heard.push(String(event.type)))
  await settle()
  server.emit(request('i1'), content('a'), response('i1'))
  const before = client.getSnapshot()
  expect(heard).toHaveLength(3)
  const again = server.log.map((event, i) => ({
    cursor: cursorAt('e1', { seq: i + 1, json: JSON.stringify(event) }),
    event,
  }))
  for (const { listener } of server.streams) {
    listener.events(again)
    for (const one of again.toReversed()) listener.events([one])
  }
  await settle()
  expect(heard).toHaveLength(3)
  expect(client.getSnapshot().interactions).toBe(before.interactions)
  expect(client.getSnapshot().cursor).toBe(before.cursor)
  expect(server.streams.size).toBe(1)
})

test('HP-CLI-3 a client does not reconnect before Retry-After has passed, for a stream and for a snapshot', async () => {
  const { server, world, client, connects } = start()
  client.subscribe(() => {})
  await settle()
  server.drop({ code: 'rate_limited', message: 'slow down', retryAfterMs: 30_000 })
  await world.advance(29_900)
  expect(connects()).toHaveLength(1)
  server.script.onSnapshot = () => ({ status: 429, body: {}, retryAfterMs: 30_000 })
  await world.advance(5_000)
  expect(connects()).toHaveLength(2)
  server.reset('epoch')
  await world.advance(3_000)
  expect(server.calls.at(-1)).toBe('snapshot')
  const asked = server.calls.length
  await world.advance(26_900)
  expect(server.calls).toHaveLength(asked)
  await world.advance(10_000)
  expect(server.calls.length).toBeGreaterThan(asked)
})

test('HP-CLI-4 every retry of an answer has the answer id of the first try', async () => {
  const { server, world, client } = start()
  client.subscribe(() => {})
  await settle()
  server.emit(request('i1'))
  server.script.onSend = () => Promise.reject(new Error('lost'))
  const answered = client.respond('i1', { action: 'approve' })
  await world.advance(60_000)
  expect((await answered).status).toBe('not_sent')
  server.script.onSend = undefined
  expect((await client.retry('i1')).status).toBe('accepted')
  const ids = server.answers().map(({ answerId }) => answerId)
  expect(ids.length).toBeGreaterThan(1)
  expect(new Set(ids).size).toBe(1)
})

test('HP-CLI-5 a silent connection is closed and opened again, and a heartbeat is enough to keep it', async () => {
  const { server, world, client, connects } = start()
  client.subscribe(() => {})
  await settle()
  for (let i = 0; i < 10; i++) {
    await world.advance(15_000)
    for (const { listener } of server.streams) listener.alive()
  }
  expect(connects()).toHaveLength(1)
  await world.advance(60_000)
  expect(connects().length).toBeGreaterThan(1)
})

test('HP-CLI-6 a missing session causes no error, and the client asks again', async () => {
  const { server, world, client } = start()
  let there = false
  server.script.onSnapshot = () => (there ? undefined : { status: 404, body: { error: { code: 'not_found' } } })
  client.subscribe(() => {})
  await world.advance(3_000)
  expect(client.getSnapshot().connection.error).toBeUndefined()
  expect(server.calls.length).toBeGreaterThan(2)
  there = true
  await world.advance(5_000)
  expect(client.getSnapshot().connection.status).toBe('open')
})

describe('HP-RST-7 after a reset the client takes a snapshot and continues from its cursor', () => {
  test.each(['epoch', 'trimmed', 'ahead', 'forked', 'invalid'] as const)('%s', async (reason) => {
    const { server, world, client } = start()
    client.subscribe(() => {})
    await settle()
    server.emit(request('i1'))
    if (reason !== 'trimmed') server.restore([request('n1'), content('x')])
    server.reset(reason)
    await world.advance(2_000)
    const place = cursorAt(server.epoch, { seq: server.log.length, json: JSON.stringify(server.log.at(-1)) })
    expect(server.calls.slice(-2)).toEqual(['snapshot', `connect ${place}`])
    expect(client.getSnapshot().pendingIds).toEqual([reason === 'trimmed' ? 'i1' : 'n1'])
  })
})
