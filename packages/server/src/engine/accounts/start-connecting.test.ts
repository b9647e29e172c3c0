import type { HoldpointOptions } from '@holdpoint/server'
import { testAccounts } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { bareKernel, IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import type { AccountProvider } from '../api/account-provider.ts'
import { claimSession } from '../calls/claim-call.ts'
import { userPartition } from '../records/keys.ts'
import type { Answered, QuestionRow } from '../state/rows.ts'
import { accountChanged, hintOfConnection, startConnecting } from './start-connecting.ts'

const ADA = { userId: 'ada' }
const MINUTE = 60_000
const ANSWER: Answered = { answerId: 'a', digest: '', at: 1, by: { clientId: 'tab' }, action: 'decline' }
const code = ({ status, body }: { status: number; body: unknown }) =>
  status === 200 ? 'done' : (body as { error: { code: string } }).error.code

interface Who {
  userId?: string
  sessionId?: string
  interactionId?: string
  returnTo?: string
}

/** A session in which accounts can be asked for. */
async function world(options: HoldpointOptions = {}) {
  const accounts = testAccounts()
  const started: Parameters<AccountProvider['start']>[2][] = []
  const { start } = accounts
  accounts.start = async (principal, integration, how) => {
    started.push(how)
    return await start(principal, integration, how)
  }
  const room = bareKernel({ accounts, ...options })
  const { kernel, partition } = room
  await kernel.transact(partition, async (tx) => {
    await tx.read(['session', 'session'])
    claimSession(tx, { identity: IDENTITY }, null)
  })
  return {
    ...room,
    accounts,
    started,
    connect: (changes: Partial<QuestionRow> = {}, integrations = ['slack']) => {
      const request = { type: 'auth_needed', integrations, generationId: 'run-1' } as unknown as QuestionRow['request']
      return room.ask({ kind: 'connect', request, ...changes })
    },
    start: (integration = 'slack', who: Who = {}) => {
      const { userId = 'ada', sessionId = 'chat', interactionId = 'q1', ...more } = who
      return startConnecting(kernel, { userId }, sessionId, { interactionId, integration, ...more })
    },
    hint: (userId = 'ada', sessionId = 'chat', integration = 'slack') => {
      const message = { type: 'submit_auth_result', clientId: 'tab', generationId: 'run-1', success: true } as const
      return hintOfConnection(kernel, { userId }, sessionId, { ...message, integration })
    },
    said: async () => (await room.log()).map((event) => `${event.type} ${event.connected ?? event.success}`),
  }
}

describe('an account that changed', () => {
  test('is reported if it is connected, and the last one ends the question', async () => {
    const { kernel, accounts, connect, row, said, log } = await world()
    await connect({}, ['slack', 'gmail'])
    await accountChanged(kernel, ADA, 'slack')
    expect(await said()).toEqual([])
    accounts.set(ADA, 'slack')
    await accountChanged(kernel, ADA, 'slack')
    expect(await row('question', 'q1')).toMatchObject({ status: 'open', connected: ['slack'] })
    // The change is reported once, however often it is noticed.
    await accountChanged(kernel, ADA, 'slack')
    expect(await log()).toMatchObject([{ type: 'auth_progress', connected: 'slack', remaining: ['gmail'] }])
    accounts.set(ADA, 'gmail')
    await accountChanged(kernel, ADA, 'gmail')
    expect(await said()).toEqual(['auth_progress slack', 'auth_progress gmail', 'auth_result true'])
    expect(await row('question', 'q1')).toMatchObject({
      ...{ status: 'answered', connected: ['slack', 'gmail'] },
      answer: { action: 'submit', answerId: 'connected:q1', by: { userId: 'ada', clientId: 'accounts' } },
    })
  })
  test('is ignored if it has fewer scopes than the question requests', async () => {
    const { kernel, accounts, connect, said } = await world()
    await connect({ scopes: { slack: ['write'] } })
    accounts.set(ADA, 'slack', ['read'])
    await accountChanged(kernel, ADA, 'slack')
    expect(await said()).toEqual([])
    accounts.set(ADA, 'slack', ['read', 'write'])
    await accountChanged(kernel, ADA, 'slack')
    expect(await said()).toEqual(['auth_progress slack', 'auth_result true'])
  })
  test('is ignored after the deadline', async () => {
    const { kernel, accounts, connect, said, clock } = await world()
    await connect()
    accounts.set(ADA, 'slack')
    await clock.jump(MINUTE)
    await accountChanged(kernel, ADA, 'slack')
    expect(await said()).toEqual([])
  })
  test('settles all questions of its user that wait for it, over several pages, and no question of another user', async () => {
    const { kernel, accounts, connect, store, partition } = await world()
    for (let n = 0; n < 101; n++) await connect({ id: `q-${n}` })
    await connect({ id: 'q-other', userId: 'bob' })
    accounts.set(ADA, 'slack')
    await accountChanged(kernel, ADA, 'slack')
    const open = (await store.list(partition, 'question')).map(({ data }) => JSON.parse(data).d as QuestionRow)
    expect(open.filter(({ status }) => status === 'open').map(({ id }) => id)).toEqual(['q-other'])
  })
})

describe('starting a flow', () => {
  test('passes all requested and granted scopes, the return address and the run to the provider', async () => {
    const { accounts, connect, start, started } = await world()
    await connect({ scopes: { slack: ['write'] } })
    accounts.set(ADA, 'slack', ['read'])
    const reply = await start('slack', { returnTo: '/back' })
    const { flowId } = started[0]!
    expect(reply).toEqual({ status: 200, body: { flowId, url: expect.stringContaining(flowId) } })
    expect(started).toStrictEqual([{ flowId, scopes: ['write', 'read'], returnTo: '/back', generationId: 'run-1' }])
  })
  test('omits options that were not given', async () => {
    const { connect, start, started } = await world()
    await connect()
    await start()
    expect(started).toStrictEqual([{ flowId: expect.any(String), generationId: 'run-1' }])
  })
  test('includes the scopes of the connected account', async () => {
    const { accounts, connect, start, started } = await world()
    await connect()
    accounts.set(ADA, 'slack', ['read'])
    await start()
    accounts.status = async () => ({ state: 'connected' })
    await start()
    expect(started.map(({ scopes }) => scopes)).toEqual([['read'], ['read']])
  })
  test('is shared by all questions for the account, until wider scopes or ten minutes make a new flow', async () => {
    const { connect, start, started, clock, row } = await world()
    await connect({ id: 'q1', scopes: { slack: ['read'] }, expiresAt: 4e12 })
    await connect({ id: 'q2', scopes: { slack: ['write'] }, expiresAt: 4e12 })
    await start()
    await start()
    await start('slack', { interactionId: 'q2' })
    await start()
    expect(started.map(({ scopes }) => scopes?.join())).toEqual(['read', 'read', 'read,write', 'read,write'])
    await clock.jump(10 * MINUTE - 1)
    await start()
    await clock.jump(1)
    await start()
    expect(started.map(({ scopes }) => scopes?.join()).slice(4)).toEqual(['read,write', 'read'])
    const flows = started.map(({ flowId }) => started.findIndex((one) => one.flowId === flowId))
    expect(flows).toEqual([0, 0, 2, 2, 2, 5])
    expect(await row('flow', 'slack', userPartition('', 'ada'))).toMatchObject({ until: clock.now() + 10 * MINUTE })
  })
  test.each([
    ['not_found', {}, { sessionId: 'nowhere' }],
    ['not_found', {}, { userId: 'eve' }],
    ['unknown_interaction', {}, { interactionId: 'unknown' }],
    ['expired', { expiresAt: Date.UTC(2030, 0, 1) }, {}],
    ['expired', { status: 'expired', outcome: { type: 'refused', outcome: 'expired' } }, {}],
    ['cancelled', { status: 'cancelled' }, {}],
    ['superseded', { status: 'superseded' }, {}],
    ['already_answered', { status: 'answered', answer: ANSWER }, {}],
  ] as [string, Partial<QuestionRow>, Who][])('is rejected as %s: %j %j', async (refused, changes, who) => {
    const { connect, start, started } = await world()
    await connect(changes)
    expect([code(await start('slack', who)), started]).toEqual([refused, []])
  })
  test('is rejected for an integration that the question does not request, and for a question of another kind', async () => {
    const { connect, ask, start } = await world()
    await connect()
    await ask({ id: 'q2' })
    expect(code(await start('gmail'))).toBe('unknown_interaction')
    expect(code(await start('slack', { interactionId: 'q2' }))).toBe('unknown_interaction')
  })
  test('is rejected if the host forbids it, there is no provider, or the provider is unavailable', async () => {
    const forbidden = await world({ security: { authorize: ({ action }) => action !== 'connect' } })
    await forbidden.connect()
    expect(code(await forbidden.start())).toBe('forbidden')
    const bare = await world({ accounts: undefined as never })
    await bare.connect()
    expect(code(await bare.start())).toBe('not_configured')
    const { accounts, connect, start, logged } = await world()
    await connect()
    accounts.start = () => Promise.reject(new Error('the internal host name'))
    expect(code(await start())).toBe('accounts_unavailable')
    expect(logged).toEqual([
      ['warn', 'an account could not be connected', expect.objectContaining({ integration: 'slack' })],
    ])
  })
})

describe('a result that a browser reports', () => {
  test('triggers a check of the account, for the owner of the session only', async () => {
    const { accounts, connect, hint, said } = await world()
    await connect()
    expect([code(await hint('eve')), code(await hint('ada', 'nowhere'))]).toEqual(['not_found', 'not_found'])
    expect([code(await hint()), await said()]).toEqual(['done', []])
    accounts.set(ADA, 'slack')
    expect([code(await hint()), await said()]).toEqual(['done', ['auth_progress slack', 'auth_result true']])
  })
  test('triggers no check if the host forbids it, there is no provider, or the provider is unavailable', async () => {
    const forbidden = await world({ security: { authorize: ({ action }) => action !== 'connect' } })
    expect(code(await forbidden.hint())).toBe('forbidden')
    expect(code(await (await world({ accounts: undefined as never })).hint())).toBe('not_configured')
    const { accounts, connect, hint, logged } = await world()
    await connect()
    accounts.status = () => Promise.reject(new Error('the internal host name'))
    expect(code(await hint())).toBe('accounts_unavailable')
    expect(logged).toEqual([
      ['warn', 'an account could not be looked up', expect.objectContaining({ integration: 'slack' })],
    ])
  })
})
