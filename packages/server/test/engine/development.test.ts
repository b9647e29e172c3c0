import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHoldpoint, devUser } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { testHuman } from '@holdpoint/server/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, call, stores } from './support/world.ts'

/** Support for the first hour of development: hot reload, and errors with a code. */
const open: { close(): Promise<void> }[] = []
const create = (options: Parameters<typeof createHoldpoint>[0] = {}) => {
  const holdpoint = createHoldpoint(options)
  open.push(holdpoint)
  return holdpoint
}
beforeEach(() => vi.stubEnv('NODE_ENV', 'development'))
afterEach(async () => {
  for (const holdpoint of open.splice(0)) await holdpoint.close()
  vi.unstubAllEnvs()
})

test('a module that is evaluated again gets the same instance, with its new hooks, while a question waits [R10b.1]', async () => {
  const before = create({ store: memoryStore(), authenticate: () => ({ userId: 'old' }) })
  const human = testHuman(before, ADA)
  const waiting = before.session('chat', ADA).toolCall(call()).approve({ prompt: 'Go?' })
  const question = await human.next()

  const followUps: unknown[] = []
  const after = create({
    store: memoryStore(),
    authenticate: () => ADA,
    hooks: { onFollowUp: (delivery) => void followUps.push(delivery) },
  })
  expect(after).toBe(before)
  const headers = { host: 'localhost' }
  const reply = await after.fetch(new Request('http://localhost/sessions/chat', { headers }))
  expect(await reply.json()).toMatchObject({ you: { userId: 'ada' }, interactions: [{}] })
  await testHuman(after, ADA).approve(question)
  expect(await waiting).toMatchObject({ outcome: 'approved' })
})

test('an instance under another name is separate, and so is a new instance after close', async () => {
  const one = create({ store: memoryStore() })
  const other = create({ store: memoryStore(), name: 'other' })
  expect(other).not.toBe(one)
  await one.close()
  expect(create({ store: memoryStore() })).not.toBe(one)
})

test('instances of two files are separate without a name, and each is found again after a hot reload', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hp-two-files-'))
  const at = (...path: string[]) => create({ store: sqliteStore({ path: join(folder, ...path) }) })
  const [one, two] = [at('one.db'), at('two.db')]
  expect(one).not.toBe(two)
  await one.session('chat', ADA).emit({ type: 'content', text: 'hello' })
  expect(await engineOf(two).access(ADA, 'chat', 'read')).toBeNull()
  expect(at('one.db')).toBe(one)
  expect(at('two.db')).toBe(two)
  await two.close()
  expect(at('one.db')).toBe(one)
  open.push({ close: async () => rmSync(folder, { recursive: true }) })
})

test('a store that cannot be distinguished from one of a hot reload is logged once, with the remedy', () => {
  const said: unknown[][] = []
  const logger = { debug() {}, info() {}, warn: (...line: unknown[]) => void said.push(line), error() {} }
  const store = memoryStore()
  const one = create({ store, logger })
  expect(create({ store, logger })).toBe(one)
  const billing = create({ store: memoryStore(), logger, name: 'billing' })
  expect(create({ store: memoryStore(), logger, name: 'billing' })).toBe(billing)
  expect(said).toEqual([])
  for (const _ of [1, 2]) expect(create({ store: memoryStore(), logger })).toBe(one)
  expect(said).toEqual([
    [expect.stringMatching(/hot reload.*give each its name: .*name: 'billing'/), { code: 'instance_kept' }],
  ])
})

test('instances outside of development are independent, and two memory stores are rejected with a code [R10b.2]', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const [pages, routes] = [create({ store: memoryStore() }), create({ store: memoryStore() })]
  expect(pages).not.toBe(routes)
  await pages.session('chat', ADA).emit({ type: 'content', text: 'hello' })
  await expect(engineOf(routes).access(ADA, 'chat', 'read')).rejects.toMatchObject({
    code: 'memory_store_not_shared',
    message: expect.stringMatching(/A bundler evaluated the module twice.*Use sqliteStore\(\{ path \}\), or make one/),
  })
  expect(await engineOf(routes).access(ADA, 'a value that no user has', 'read')).toBeNull()
  await pages.close()
  expect(await engineOf(routes).access(ADA, 'chat', 'read')).toBeNull()
})

test('the log contains the full cause of an internal error, and the HTTP response only its id', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const said: unknown[][] = []
  const logger = { debug() {}, info() {}, warn() {}, error: (...line: unknown[]) => void said.push(line) }
  const [pages, routes] = [
    create({ store: memoryStore() }),
    create({ store: memoryStore(), authenticate: () => ADA, logger }),
  ]
  await pages.session('chat', ADA).emit({ type: 'content', text: 'hello' })
  const reply = await routes.fetch(new Request('http://localhost/sessions/chat'))
  const { error } = (await reply.json()) as { error: { code: string; logId: string } }
  expect([reply.status, error.code]).toEqual([500, 'internal'])
  const logged = { logId: error.logId, error: expect.objectContaining({ code: 'memory_store_not_shared' }) }
  expect(said).toEqual([['A request failed.', logged]])
})

test('createHoldpoint in production requires a store', () => {
  vi.stubEnv('NODE_ENV', 'production')
  expect(() => createHoldpoint()).toThrow(expect.objectContaining({ code: 'store_required' }))
})

test.each([
  ['the server has no authenticate', undefined, 'development', 'localhost', /without `authenticate`.*or devUser\(\)/],
  ['no user is signed in', () => null, 'production', 'localhost', /No user is signed in.*Log in and try again/],
  ['devUser in production', 'dev', 'production', 'localhost', /NODE_ENV=development only.*`authenticate` of your own/],
  ['devUser under a public name', 'dev', 'development', 'app.example', /localhost Host only.*http:\/\/localhost/],
] as const)('not_authenticated because %s states the reason and the remedy', async (_, who, NODE_ENV, host, words) => {
  vi.stubEnv('NODE_ENV', NODE_ENV)
  const authenticate = who === 'dev' ? devUser('ada') : who
  const holdpoint = create({
    store: memoryStore(),
    ...(authenticate && { authenticate }),
    security: { allowedHosts: [host] },
  })
  const reply = await holdpoint.fetch(new Request(`http://${host}/inbox`, { headers: { host } }))
  const { error } = (await reply.json()) as { error: { code: string; message: string } }
  expect([reply.status, error.code]).toEqual([401, 'not_authenticated'])
  expect(error.message).toMatch(words)
})

test('problems that need attention are logged to the console if there is no logger', async () => {
  const said: unknown[][] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((...line) => void said.push(line))
  const holdpoint = create({
    store: memoryStore(),
    hooks: { onAsked: () => Promise.reject(new Error('mail is down')) },
  })
  void holdpoint.session('chat', ADA).toolCall(call()).tryApprove({ prompt: 'Go?' })
  await vi.waitFor(() =>
    expect(said).toEqual([
      ['[holdpoint] a delivery failed and will be repeated', expect.objectContaining({ error: 'Error' })],
    ]),
  )
  spy.mockRestore()
})

test('a platform that ends processes causes no warning if no tool waits in its processes', async () => {
  const said: unknown[] = []
  const logger = { debug() {}, info() {}, warn: (...line: unknown[]) => void said.push(line), error() {} }
  const shared = stores.find(([name]) => name === 'sqlite')![1]
  const holdpoint = create({ store: shared(), timing: { maxDurationMs: 60_000 }, logger, waiting: 'suspend' })
  const execute = async (_input: object, ctx: { approve(question: object): Promise<unknown> }) =>
    void (await ctx.approve({ prompt: 'Go?', timeoutMs: 300_000 }))
  const tool = holdpoint.tool({ name: 'deploy', input: z.object({}), execute })
  const ran = holdpoint.session('chat', ADA).runTool(tool, {}, { runId: 'run-1', toolCallId: 'call-1' })
  expect(await ran).toMatchObject({ status: 'suspended' })
  expect(said).toEqual([])
})

test('a platform that ends the process before the question is answered causes a warning with its name', async () => {
  const said: unknown[] = []
  const logger = { debug() {}, info() {}, warn: (...line: unknown[]) => void said.push(line), error() {} }
  const holdpoint = create({ store: memoryStore(), timing: { maxDurationMs: 60_000 }, logger })
  const ask = (id: string, timeoutMs: number) =>
    void holdpoint.session('chat', ADA).toolCall(call(id)).tryApprove({ prompt: 'Go?', timeoutMs })
  ask('short', 50_000)
  ask('long', 300_000)
  await vi.waitFor(() => expect(said).toHaveLength(1))
  expect(said[0]).toEqual([
    expect.stringMatching(/300000 ms.*ends the process after 60000 ms: use waiting: 'suspend'.*or a shorter timeoutMs/),
    expect.objectContaining({ code: 'serverless_deadline' }),
  ])
})
