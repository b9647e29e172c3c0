import { expect, test } from 'vitest'
import { startClient } from '../../test/support/start-client.ts'

const notFound = () => ({ status: 404, body: { error: { code: 'not_found', message: 'no' } } })

function start() {
  const problems: { code: string; message: string }[] = []
  const started = startClient({ onProblem: (problem) => problems.push(problem) }, (server) => {
    server.script.onSnapshot = notFound
  })
  started.client.subscribe(() => {})
  return { ...started, problems, tries: () => started.server.calls.filter((call) => call === 'snapshot').length }
}

test('a session that stays not found is reported once with the likely causes, and is polled further', async () => {
  const { world, client, problems, tries, status } = start()
  for (let i = 0; tries() < 7 && i < 400; i++) await world.advance(50)
  expect(problems).toEqual([])
  await world.advance(600_000)
  client.connect()
  await world.advance(600_000)
  expect(tries()).toBeGreaterThan(40)
  expect(status()).toBe('connecting')
  expect(problems).toEqual([{ code: 'not_found', message: expect.stringMatching(/task-42.*sessionId.*user.*url/) }])
})

test('a session that exists at last is connected, and its loss is reported again', async () => {
  const { server, world, problems, status } = start()
  await world.advance(60_000)
  server.script.onSnapshot = undefined
  await world.advance(60_000)
  expect(status()).toBe('open')
  expect(problems).toHaveLength(1)
  server.script.onConnect = ({ listener }) => {
    listener.down({ code: 'not_found', message: 'erased' })
    return true
  }
  server.drop()
  await world.advance(600_000)
  expect(problems.map(({ code }) => code)).toEqual(['not_found', 'not_found'])
})
