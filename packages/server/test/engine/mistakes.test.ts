import { createHoldpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { redisStore } from '@holdpoint/server/redis'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { addSurfaces, type Surface } from '@holdpoint/server/surfaces'
import { faultyStore, testClock, testHuman } from '@holdpoint/server/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ADA, call, open } from './support/world.ts'

/** Typical mistakes of the first hour, in JavaScript or past a type. Each has an error code where it is made. */
const clock = testClock()
const world = (options: Partial<Parameters<typeof open>[0]> = {}) => {
  const holdpoint = open({ store: memoryStore({ now: clock.now }), environment: clock.environment, ...options })
  return { holdpoint, session: holdpoint.session('chat', ADA), human: testHuman(holdpoint, ADA) }
}
/** Past the compiler. */
const wrong = (value: unknown) => value as never
afterEach(() => vi.unstubAllEnvs())

test.each([
  ['an empty session id', '', ADA, 'sessionId'],
  ["a session library's user", 'chat', { id: 'ada' }, 'userId'],
  ['an undefined user', 'chat', undefined, 'userId'],
])('a session of %s is rejected by session()', (_, sessionId, owner, name) => {
  expect(() => world().holdpoint.session(sessionId, wrong(owner))).toThrow(
    expect.objectContaining({
      code: 'invalid_id',
      message: expect.stringContaining(`${name} must be a non-empty string`),
    }),
  )
})

test.each(['runId', 'toolCallId', 'toolName'] as const)('a tool call without %s is rejected by toolCall()', (name) => {
  const { session } = world()
  expect(() => session.toolCall({ ...call(), [name]: undefined as never })).toThrow(
    expect.objectContaining({ code: 'invalid_id', details: { name } }),
  )
})

/** Every verb that receives an id from the host's code. */
const given = {
  sessionId: ({ holdpoint }, id) => holdpoint.session(id, ADA),
  userId: ({ holdpoint }, id) => holdpoint.session('chat', { userId: id }),
  tenant: ({ holdpoint }, id) => holdpoint.session('chat', { ...ADA, tenant: id }),
  runId: ({ session }, id) => session.toolCall({ ...call(), runId: id }),
  toolCallId: ({ session }, id) => session.gate({ ...call(), toolCallId: id }),
  toolName: ({ session }, id) => session.toolCall({ ...call(), toolName: id }),
  "a turn's runId": ({ session }, id) => session.turn({ runId: id }),
  "a thread's runId": ({ session }, id) => session.declineWaiting({ runId: id }),
  thread: ({ session }, id) => session.declineWaiting({ runId: 'run-1', thread: id }),
  'a cancelled runId': ({ session }, id) => session.cancelRun(id),
  name: ({ holdpoint }, id) => holdpoint.tool({ name: id, input: z.object({}), execute: () => 'done' }),
  'offered toolName': ({ holdpoint }, id) => holdpoint.toolSettings.offer(id, ['always']),
  "a link's interactionId": ({ holdpoint }, id) => holdpoint.links.create({ interactionId: id, userId: 'ada' }),
  "a link's userId": ({ holdpoint }, id) => holdpoint.links.create({ interactionId: 'q1', userId: id }),
  "a list's userId": ({ holdpoint }, id) => holdpoint.sessions.list({ userId: id }),
  "an approval's userId": ({ holdpoint }, id) => holdpoint.approvals.list({ userId: id }),
  "a revoked approval's userId": ({ holdpoint }, id) => holdpoint.approvals.revoke({ userId: id }),
  "a setting's userId": ({ holdpoint }, id) => holdpoint.toolSettings.list({ userId: id }),
  integration: ({ holdpoint }, id) => holdpoint.accounts.changed({ ...ADA, integration: id }),
  'an erased sessionId': ({ holdpoint }, id) => holdpoint.eraseSession({ sessionId: id }),
  'an erased userId': ({ holdpoint }, id) => holdpoint.eraseUser({ userId: id }),
  "a surface's name": ({ holdpoint }, id) =>
    addSurfaces(holdpoint, {
      pages: answerPage(holdpoint, { url: 'https://app.example/holdpoint' }),
      surfaces: [{ name: id } as Surface],
    }),
} satisfies Record<string, (of: ReturnType<typeof world>, id: string) => unknown>

test.each(
  Object.entries(given).flatMap(([what, give]) =>
    ['a\0b', 'a\ud800b', 'a\nb'].map((id) => [what, JSON.stringify(id), give, id] as const),
  ),
)('%s = %s is rejected with invalid_id, before the store has to', async (what, _, give, id) => {
  const name = what.split(' ').at(-1)
  await expect((async () => await give(world(), id))()).rejects.toMatchObject({ code: 'invalid_id', details: { name } })
})

test.each(['a\0b', 'a\ud800b'])('a read with the id %j, which no row can have, finds nothing', async (id) => {
  const { holdpoint } = world()
  const answer = { answerId: 'a1', clientId: 'c1', answer: { action: 'deny' } } as const
  expect(await holdpoint.sessions.get({ principal: ADA, sessionId: id })).toBeNull()
  expect(await holdpoint.interactions.get({ interactionId: id })).toBeNull()
  expect(await holdpoint.cancelInteraction(id)).toBe(false)
  expect(await holdpoint.cancelRun({ principal: ADA, sessionId: 'chat', runId: id })).toBe(false)
  expect(await holdpoint.answer({ principal: ADA, sessionId: id, interactionId: 'q1', ...answer })).toMatchObject({
    status: 'refused',
    code: 'not_found',
  })
})

test.each(['a\0b', 'a\ud800b'])('keys of once are hashed, so %j is one of them', async (key) => {
  const { session } = world()
  const ctx = session.toolCall(call())
  expect(await ctx.once(key, () => 'first')).toBe('first')
  expect(await ctx.once(key, () => 'second')).toBe('first')
})

test('a user id with a NUL character from authenticate() is logged as invalid_id, and not as a failure of the store', async () => {
  const error = vi.fn()
  const { holdpoint } = world({
    authenticate: () => ({ userId: 'a\0b' }),
    logger: { debug() {}, info() {}, warn() {}, error },
  })
  const response = await holdpoint.fetch(new Request('http://localhost/holdpoint/inbox'))
  expect([response.status, (await response.json()).error.code]).toEqual([500, 'internal'])
  expect(error.mock.calls[0]?.[1].error).toMatchObject({ code: 'invalid_id' })
})

test.each([
  ['store', { store: 'data.db' }, 'sqliteStore({ path })'],
  ['authenticate', { authenticate: 'ada' }, 'a function that returns { userId }'],
  ['timing.leaseMs', { timing: { leaseMs: '15s' } }, 'a number of milliseconds, got "15s"'],
  ['timing.leaseMs', { timing: { leaseMs: -1 } }, 'a number of milliseconds, got -1'],
  ['security.allowedOrigins', { security: { allowedOrigins: '*' } }, "a list such as ['https://app.example.com']"],
  ['security.allowedOrigins', { security: { allowedOrigins: ['app.example.com'] } }, "like 'https://app.example.com'"],
  ['security.allowedOrigins', { security: { allowedOrigins: ['https://a.example/'] } }, '"https://a.example/"'],
  ['security.allowedOrigins', { security: { allowedOrigins: ['https://a.example:443'] } }, 'matches no request'],
  ['security.allowedHosts', { security: { allowedHosts: ['a.example:3000'] } }, "like 'app.example.com'"],
  ['security.allowedHosts', { security: { allowedHosts: ['https://a.example'] } }, "like 'app.example.com'"],
  ['security.allowedHosts', { security: { allowedHosts: 'a.example' } }, 'a list'],
])('an option of createHoldpoint that would have no effect is rejected: %s', (option, options, words) => {
  expect(() => createHoldpoint(wrong({ store: memoryStore(), ...options }))).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(words) }),
  )
  expect(() => createHoldpoint(wrong({ store: memoryStore(), ...options }))).toThrow(`"${option}"`)
})

test('origins and hosts as browsers send them are accepted', async () => {
  const allowedOrigins = ['https://a.example', 'http://localhost:5173', 'capacitor://localhost', 'null']
  const allowedHosts = ['a.example', '[::1]', '127.0.0.1', 'xn--bcher-kva.example']
  await createHoldpoint({ store: memoryStore(), security: { allowedOrigins, allowedHosts } }).close()
})

test.each([
  ['undefined', undefined],
  ['a path alone', 'data.db'],
  ['an unset variable', { path: undefined }],
  ['an empty path', { path: '' }],
])('sqliteStore rejects %s and names the option', (_, options) => {
  expect(() => sqliteStore(wrong(options))).toThrow(
    expect.objectContaining({
      code: 'invalid_options',
      message: expect.stringContaining('"path" must be a non-empty string, got '),
    }),
  )
})

test('an error about a wrong store names no secret of it', () => {
  const secret = 'hunter2'
  const circular: Record<string, unknown> = { password: secret }
  circular.self = circular
  for (const store of [`postgres://ada:${secret}@db/app`, circular, null]) {
    const create = () => createHoldpoint(wrong({ store }))
    expect(create).toThrow(/"store" must be a store such as sqliteStore/)
    expect(create).not.toThrow(secret)
  }
})

test('a Redis client that cannot be created fails the calls of the store, and ends no process', async () => {
  const connect = () => {
    throw new Error('Cannot find package ioredis')
  }
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const store = redisStore({ connect })
  const unsubscribe = store.subscribe(() => {})
  await expect(store.load([])).rejects.toMatchObject({ code: 'store_unavailable' })
  await new Promise((resolve) => setTimeout(resolve, 10))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  unsubscribe()
  await store.close()
})

describe('a question that no user can answer or no code can handle is rejected: the error names', () => {
  const onResponse = () => ({ complete: 1 })
  test.each([
    ['onResponse', { type: 'approval', prompt: 'Go?' }],
    ['type', { type: 'confirm', prompt: 'Go?', onResponse }],
    ['inputSchema', { type: 'input', prompt: 'Where to?', onResponse }],
    ['timeoutMs', { type: 'approval', prompt: 'Go?', timeoutMs: '5m', onResponse, whenUnavailable: 'wait' }],
  ])('%s', async (path, question) => {
    const { session, human } = world()
    const asked = session.toolCall(call()).requestInteraction(wrong(question))
    await expect(asked).rejects.toMatchObject({ code: 'invalid_request', details: { path } })
    expect(await human.waiting()).toEqual([])
  })

  test('inputSchema for a form without fields', async () => {
    const asked = world()
      .session.toolCall(call())
      .ask(wrong({ prompt: 'Where to?' }))
    await expect(asked).rejects.toMatchObject({ code: 'invalid_request', details: { path: 'inputSchema' } })
  })
})

test.each([
  ['{ ok }', { ok: true }],
  ['undefined', undefined],
  ['null', null],
  ['{ complete, reprompt }', { complete: 1, reprompt: {} }],
])('a handler that returns %s does not resolve the tool without a value', async (_, outcome) => {
  const { session, human } = world()
  const asked = session.toolCall(call()).requestInteraction({
    type: 'approval',
    prompt: 'Go?',
    whenUnavailable: 'wait',
    onResponse: () => wrong(outcome),
  })
  const failed = expect(asked).rejects.toMatchObject({
    code: 'invalid_outcome',
    message: expect.stringContaining('{ complete }, { reprompt } or { pending }'),
  })
  await human.approve(await human.next())
  await failed
})

test('a tool that returns without awaiting its question leaves no card, and the error or the log names the reason', async () => {
  const warn = vi.fn()
  const { holdpoint, session, human } = world({ logger: { debug() {}, info() {}, error() {}, warn } })
  let forgotten: Promise<unknown> | undefined
  const tool = holdpoint.tool({
    name: 'hasty',
    input: z.object({}),
    execute: (_, ctx) => {
      forgotten = ctx.approve({ prompt: 'Go?' }).catch((error: unknown) => error)
      return 'continued'
    },
  })
  expect(await session.runTool(tool, {}, { runId: 'r', toolCallId: 'c' })).toMatchObject({ result: 'continued' })
  await clock.settle()
  expect(await human.waiting()).toEqual([])
  // The question may be faster than the end of the tool: then it is closed, and the log names the mistake.
  const refusal = (await forgotten) as { outcome?: string; message: string }
  if (refusal.outcome === 'superseded') {
    expect(warn).toHaveBeenCalledWith(
      expect.stringMatching(/await missing/),
      expect.objectContaining({ toolName: 'hasty' }),
    )
  } else expect(refusal.message).toMatch(/await missing/)
})

test('the id of a failed request in its response is also in the log, without a logger of the host', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const cause = new Error('the session library is down')
  const holdpoint = createHoldpoint({
    store: memoryStore(),
    authenticate: () => {
      throw cause
    },
  })
  try {
    const reply = await holdpoint.fetch(new Request('http://localhost/inbox', { headers: { host: 'localhost' } }))
    const { error } = (await reply.json()) as { error: { logId: string } }
    expect(reply.status).toBe(500)
    expect(said).toHaveBeenCalledWith('[holdpoint] A request failed.', { logId: error.logId, error: cause })
  } finally {
    said.mockRestore()
    await holdpoint.close()
  }
})

test('an approval without a key to remember offers only "once"', async () => {
  const { session, human } = world()
  const asked = session.toolCall(call()).approve({ prompt: 'Go?' })
  const question = await human.next()
  expect(question.request).toMatchObject({ approvalScopes: ['once'] })
  await human.approve(question)
  expect(await asked).toMatchObject({ scope: 'once' })

  const wider = session.toolCall(call('other')).approve({ prompt: 'Go?', scopes: ['once', 'always'] })
  await expect(wider).rejects.toMatchObject({
    code: 'invalid_request',
    details: { path: 'rememberAs' },
    message: expect.stringContaining('the scope "always" needs it'),
  })
  expect(await human.waiting()).toEqual([])
})

test('a principal with a tenant under another name than `tenant` is rejected, because all tenants would be one', async () => {
  const user = { userId: 'ada', tenantId: 'acme' }
  const { holdpoint } = world()
  expect(() => holdpoint.session('chat', user)).toThrow(expect.objectContaining({ details: { name: 'tenant' } }))
  expect(() => holdpoint.session('chat', { userId: 'ada', tenant: wrong(null) })).toThrow(/customers are distinguished/)

  const error = vi.fn()
  const logger = { debug() {}, info() {}, warn() {}, error }
  const strict = open({ store: memoryStore(), authenticate: () => user, logger })
  const reply = await strict.fetch(new Request('http://localhost/inbox', { headers: { host: 'localhost' } }))
  expect(reply.status).toBe(500)
  expect(error.mock.calls[0]?.[1].error.message).toMatch(/has a tenantId, but customers are distinguished by `tenant`/)
})

describe('a store that cannot work reports the reason', () => {
  test('in sqliteStore(), if Node has no SQLite', () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
    try {
      expect(() => sqliteStore({ path: ':memory:' })).toThrow(/needs node:sqlite.*Node 22.13 or newer/)
    } finally {
      vi.restoreAllMocks()
    }
  })

  test('in the log, if a commit is retried', async () => {
    const warn = vi.fn()
    const store = faultyStore(memoryStore({ now: clock.now }))
    const logger = { debug() {}, info() {}, error() {}, warn }
    const holdpoint = open({ store, environment: clock.environment, logger })
    store.down()
    const asked = holdpoint.session('chat', ADA).toolCall(call()).approve({ prompt: 'Go?' })
    await clock.advance('2s')
    expect(warn).toHaveBeenCalledWith('something could not be written yet; trying again', {
      error: 'HoldpointError',
      code: 'store_unavailable',
      message: expect.stringMatching(/\w+ \w+/),
    })
    store.up()
    const human = testHuman(holdpoint, ADA)
    await clock.advance('10s')
    await human.approve(await human.next())
    expect(await asked).toMatchObject({ outcome: 'approved' })
  })
})

test('holdpoint.fetch with the request of another framework rejects it and names the handler to use', async () => {
  const incoming = { url: '/inbox', method: 'GET', headers: { host: 'localhost' } }
  await expect(world().holdpoint.fetch(wrong(incoming))).rejects.toMatchObject({
    code: 'not_a_request',
    message: expect.stringContaining('toExpressHandler(holdpoint)'),
  })
})
