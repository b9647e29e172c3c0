import { createHoldpointClient, type HoldpointClient, sse } from '@holdpoint/core'
import { type MockServer, mockServer } from '@holdpoint/server/mock'
import { expect, onTestFinished, test } from 'vitest'
import type { MockServerOptions } from '../../src/mock/mock-server.ts'

/** The storage of a page, without its events. */
function pageStorage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

function start(options: MockServerOptions = {}) {
  const mock = mockServer(options)
  const client = createHoldpointClient({
    sessionId: 'task-42',
    transport: sse({ url: 'http://localhost/holdpoint', fetch: mock.fetch }),
  })
  client.subscribe(() => {})
  const close = async () => {
    client.close()
    await mock.close()
  }
  onTestFinished(close)
  return { mock, client, close }
}

/** Resolves when the state of the client is as wanted. */
function when(client: HoldpointClient, wanted: (state: ReturnType<HoldpointClient['getSnapshot']>) => unknown) {
  return new Promise<void>((resolve) => {
    const look = () => {
      if (!wanted(client.getSnapshot())) return
      stop()
      resolve()
    }
    const stop = client.subscribe(look)
    queueMicrotask(look)
  })
}

const pending = async (client: HoldpointClient, before: readonly string[] = []) => {
  const added = () => client.getSnapshot().pendingIds.find((id) => !before.includes(id))
  await when(client, added)
  return added() as string
}

const deleteFiles = (mock: MockServer, log: string[] = []) =>
  mock.call({
    sessionId: 'task-42',
    toolName: 'delete_files',
    input: { files: 3 },
    async execute(ctx) {
      await ctx.approve({ prompt: 'Delete 3 files?' })
      log.push('deleted')
      return { deleted: 3 }
    },
  })

test('a tool call on the mock server asks the client, and resolves with the result of the tool', async () => {
  const { mock, client } = start()
  const result = deleteFiles(mock)
  const id = await pending(client)
  expect(await client.respond(id, { action: 'approve' })).toMatchObject({ status: 'accepted' })
  expect(await result).toEqual({ deleted: 3 })
  await when(client, ({ toolCalls }) => toolCalls.get('call-delete_files')?.status === 'completed')
})

test('a handler on the mock server asks again, and the first input is kept with its errors', async () => {
  const { mock, client } = start()
  const result = mock.call({
    sessionId: 'task-42',
    toolName: 'invite',
    execute: (ctx) =>
      ctx.requestInteraction({
        type: 'input',
        prompt: 'Whom?',
        inputSchema: { type: 'form', fields: [{ id: 'email', type: 'email', label: 'E-mail', required: true }] },
        onResponse: ({ input }, { attempt }) =>
          attempt === 1
            ? { reprompt: { fieldErrors: { email: ['This address does not exist.'] } } }
            : { complete: input },
      }),
  })
  const first = await pending(client)
  await client.respond(first, { action: 'submit', input: { email: 'ada@exmaple.com' } })
  const second = await pending(client, [first])
  expect(client.getSnapshot().interactions.get(second)).toMatchObject({
    replaces: first,
    request: { fieldErrors: { email: ['This address does not exist.'] } },
  })
  await client.respond(second, { action: 'submit', input: { email: 'ada@example.com' } })
  expect(await result).toEqual({ email: 'ada@example.com' })
})

test('a flow of the mock server connects an account, and a denied flow leaves the question open', async () => {
  const { mock, client } = start({
    connectAfterMs: 0,
    connectResult: (name) => (name === 'slack' ? 'connected' : 'denied'),
  })
  const result = mock.call({
    sessionId: 'task-42',
    toolName: 'post',
    execute: (ctx) => ctx.connect({ integrations: ['slack', 'gmail'] }),
  })
  const id = await pending(client)
  expect(await client.connectAccount(id, 'gmail')).toMatchObject({ url: 'https://accounts.gmail.example/authorize' })
  await client.connectAccount(id, 'slack')
  await when(client, ({ interactions }) => interactions.get(id)?.connected.includes('slack'))
  expect(client.getSnapshot().pendingIds).toEqual([id])
  mock.connectAccount('gmail')
  expect(Object.keys((await result) as object)).toEqual(['slack', 'gmail'])
})

test('a page that is reloaded restores its questions and answers, and does not ask twice', async () => {
  const storage = pageStorage()
  const log: string[] = []
  const before = start({ storage })
  deleteFiles(before.mock, log).catch(() => {})
  const first = await pending(before.client)
  await before.close()

  const again = start({ storage })
  const result = deleteFiles(again.mock, log)
  expect(await pending(again.client)).toBe(first)
  await again.client.respond(first, { action: 'approve' })
  expect(await result).toEqual({ deleted: 3 })
  await again.close()

  const last = start({ storage })
  expect(await deleteFiles(last.mock, log)).toEqual({ deleted: 3 })
  await when(last.client, ({ interactions }) => interactions.get(first)?.status === 'answered')
  expect(last.client.getSnapshot().pendingIds).toEqual([])
  expect(log).toEqual(['deleted'])
})

test('connected accounts persist over a reload', async () => {
  const storage = pageStorage()
  const before = start({ storage })
  before.mock.connectAccount('slack')
  await before.close()
  const { mock } = start({ storage })
  const connect = { sessionId: 'task-42', toolName: 'post' }
  expect(await mock.call({ ...connect, execute: (ctx) => ctx.connect({ integrations: ['slack'] }) })).toBeTruthy()
})

test.each(['{', '{"format":0,"partitions":[]}', '{"format":1}'])(
  'a mock server starts empty if its storage contains %s',
  async (text) => {
    const storage = pageStorage()
    storage.setItem('holdpoint-mock', text)
    storage.setItem('holdpoint-mock:accounts', text)
    const { mock, client } = start({ storage })
    deleteFiles(mock).catch(() => {})
    await pending(client)
  },
)

test('the storage of the mock server contains no secret', async () => {
  const storage = pageStorage()
  const { mock, client } = start({ storage })
  const result = mock.call({
    sessionId: 'task-42',
    toolName: 'log_in',
    async execute(ctx) {
      const { key } = await ctx.ask({
        prompt: 'Key?',
        fields: [{ id: 'key', type: 'secret', label: 'Key', required: true }],
      })
      return (await ctx.secret(key)).length
    },
  })
  await client.respond(await pending(client), { action: 'submit', input: { key: 'hunter2' } })
  expect(await result).toBe(7)
  expect([...storage.items.values()].join()).not.toContain('hunter2')
})

test('a run that the user stops aborts its tool', async () => {
  const { mock, client } = start()
  const result = deleteFiles(mock).then(
    () => 'done',
    (error: { outcome: string }) => error.outcome,
  )
  await pending(client)
  await client.cancelRun('run-1')
  expect(await result).toBe('cancelled')
})

test('an answer without network is kept, and is accepted when the network is back', async () => {
  const { mock, client } = start()
  const result = deleteFiles(mock)
  const id = await pending(client)
  mock.setOnline(false)
  await when(client, ({ connection }) => connection.status !== 'open')
  await expect(mock.fetch('/holdpoint/inbox')).rejects.toThrow('offline')
  const answered = client.respond(id, { action: 'approve' })
  mock.setOnline(true)
  expect(['accepted', 'not_sent']).toContain((await answered).status)
  if (client.getSnapshot().interactions.get(id)?.status === 'not_sent') await client.retry(id)
  expect(await result).toEqual({ deleted: 3 })
})

test('a user who is signed out is rejected, and continues after signing in again', async () => {
  const { mock, client } = start()
  deleteFiles(mock).catch(() => {})
  await pending(client)
  await mock.signIn(null)
  await when(client, ({ connection }) => connection.status === 'unauthorized')
  await mock.signIn('ada')
  client.reconnect()
  await when(client, ({ connection }) => connection.status === 'open')
})

test('a denial that no script handles is not logged as an error, and an error of a script is', async () => {
  const logged: string[] = []
  const nothing = () => {}
  const logger = { debug: nothing, info: nothing, warn: nothing, error: (message: string) => void logged.push(message) }
  const { mock, client } = start({ logger })
  void deleteFiles(mock)
  const id = await pending(client)
  await client.respond(id, { action: 'deny' })
  await when(client, ({ interactions }) => interactions.get(id)?.status === 'answered')
  const broken = () => Promise.reject(new Error('broken'))
  await expect(mock.call({ sessionId: 'task-42', toolName: 'broken', execute: broken })).rejects.toThrow()
  expect(logged).toEqual(['The mock tool broken failed.'])
})
