import { testAccounts } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { accountProvider, principalOf } from '../accounts/provider.ts'
import { accountChanged } from '../accounts/start-connecting.ts'
import { settleIn } from '../answering/settle.ts'
import type { AccountProvider } from '../api/account-provider.ts'
import type { ConnectOptions } from '../api/questions.ts'
import type { QuestionRow } from '../state/rows.ts'
import { authHost, tryConnect } from './connect.ts'

const ADA = { userId: 'ada' }
const MINUTE = 60_000

function world(identity: { tenant?: string } = {}) {
  const accounts = testAccounts()
  const asked: unknown[] = []
  const { status, token } = accounts
  accounts.status = (...who: Parameters<AccountProvider['status']>) => {
    asked.push(['status', ...who])
    return status(...who)
  }
  accounts.token = (...who: Parameters<AccountProvider['token']>) => {
    asked.push(['token', ...who])
    return token(...who)
  }
  const room = bareKernel({ accounts })
  const { kernel, store } = room
  const participant = (execution = room.execution(identity)) => ({ kernel, execution, detachSignal: undefined })
  return {
    ...room,
    accounts,
    asked,
    participant,
    connect: (options: ConnectOptions<string>, at = participant()) => tryConnect(at, options),
    /** The questions that are open, once there are any. */
    async questions(count = 1) {
      for (;;) {
        await room.clock.settle()
        const rows = await store.list(room.partition, 'question')
        const found = rows.map(({ data }) => JSON.parse(data).d as QuestionRow)
        const open = found.filter((row) => row.status === 'open')
        if (open.length >= count) return open
      }
    },
    async connected(...integrations: [name: string, ...scopes: string[]][]) {
      for (const [one, ...scopes] of integrations) {
        accounts.set(ADA, one, scopes)
        await accountChanged(kernel, ADA, one)
      }
    },
  }
}

describe('the question of connect()', () => {
  test('contains the connected and the missing accounts, the cause, and the deadline', async () => {
    const { accounts, connect, questions, connected, clock } = world()
    accounts.set(ADA, 'github')
    accounts.set(ADA, 'drive', ['read'])
    const connecting = connect({
      ...{ integrations: ['slack', 'github', 'drive', 'slack'], reason: 'to post', timeoutMs: 5 * MINUTE },
      scopes: { drive: ['write'] },
    })
    const [row] = await questions()
    const { timestamp: _at, interactionId: _id, ...event } = row!.request
    expect(event).toStrictEqual({
      ...{ type: 'auth_needed', sessionId: 'chat', runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' },
      ...{ generationId: 'run-1', conversationId: 'chat', integrations: ['slack', 'github', 'drive'] },
      ...{ connected: ['github'], scopes: { drive: ['write'] }, causes: { slack: 'missing', drive: 'scopes' } },
      ...{ reason: 'to post', expiresAt: new Date(clock.now() + 5 * MINUTE).toISOString() },
    })
    expect(row).toMatchObject({
      key: 'connect:drive,github,slack',
      connected: ['github'],
      scopes: { drive: ['write'] },
    })
    await answered(connecting, () => connected(['slack'], ['drive', 'write']))
  })
  test('omits options that were not given, and lasts ten minutes', async () => {
    const { connect, questions, clock, connected } = world()
    const connecting = connect({ integrations: ['slack'] })
    const [row] = await questions()
    for (const unsaid of ['connected', 'scopes', 'reason']) expect(row?.request).not.toHaveProperty(unsaid)
    expect(row?.request).toMatchObject({ expiresAt: new Date(clock.now() + 10 * MINUTE).toISOString() })
    await answered(connecting, () => connected(['slack']))
  })
  test('is identified by its key, or by its accounts in any order', async () => {
    const { connect, questions, connected, participant } = world()
    const at = participant()
    const both = [
      connect({ integrations: ['slack', 'gmail'] }, at),
      connect({ integrations: ['slack'], key: 'mine' }, at),
    ]
    const keys = (await questions(2)).map(({ key }) => key)
    expect(keys.sort()).toEqual(['connect:gmail,slack', 'mine'])
    await answered(Promise.all(both), () => connected(['slack'], ['gmail']))
  })
  test('is not asked again by a repeated call that has its answer, and is a new question with other scopes', async () => {
    const { connect, questions, connected, participant, accounts, execution } = world()
    const first = connect({ integrations: ['slack'] })
    await questions()
    await answered(first, () => connected(['slack']))
    // A re-run, by when the account is gone: what was answered stands.
    accounts.remove(ADA, 'slack')
    expect(await connect({ integrations: ['slack'] }, participant(execution()))).toMatchObject({ outcome: 'connected' })
    const wider = connect({ integrations: ['slack'], scopes: { slack: ['write'] } }, participant(execution()))
    expect(await questions()).toMatchObject([{ attempt: 2, scopes: { slack: ['write'] } }])
    await answered(wider, () => connected(['slack', 'write']))
  })
  test('is rejected without an account, and without a provider', async () => {
    const { connect, kernel, participant } = world()
    await expect(connect({ integrations: [] })).rejects.toMatchObject({ code: 'invalid_request' })
    Object.assign(kernel.settings, { accounts: undefined })
    await expect(connect({ integrations: ['slack'] })).rejects.toMatchObject({ code: 'accounts_not_configured' })
    for (const use of [() => accountProvider(kernel), () => authHost(participant())]) {
      expect(use).toThrow(expect.objectContaining({ code: 'accounts_not_configured' }))
    }
  })
})

describe('a user who does not connect', () => {
  test.each([
    ['decline', 'declined'],
    ['cancel', 'cancelled'],
  ] as const)('with %s makes the outcome %s, with the reason if there is one', async (action, outcome) => {
    for (const reason of [undefined, 'not now']) {
      const { connect, questions, kernel, partition, log } = world()
      const connecting = connect({ integrations: ['slack'] })
      const [row] = await questions()
      const answer = { answerId: 'a', digest: '', at: 1, by: { clientId: 'tab' }, action }
      await kernel.transact(partition, async (tx) => {
        await tx.read(['question', row!.id])
        settleIn(kernel, tx, row!, { ...answer, ...(reason !== undefined && { reason }) })
      })
      expect(await connecting).toStrictEqual({ outcome, ...(reason !== undefined && { reason }) })
      expect((await log()).find(({ type }) => type === 'auth_result')).toMatchObject({ success: false, reason: action })
    }
  })
})

describe('the account provider of connect()', () => {
  test('receives the user, the tenant if there is one, and the scopes', async () => {
    const { connect, asked, connected } = world()
    await connected(['slack', 'write'], ['gmail'])
    asked.length = 0
    const done = await connect({ integrations: ['slack', 'gmail'], scopes: { slack: ['write'] } })
    if (done.outcome !== 'connected') throw new Error('not connected')
    expect(Object.keys(done.accounts)).toEqual(['slack', 'gmail'])
    expect(done.accounts.slack?.integration).toBe('slack')
    expect(await done.accounts.slack?.token()).toBe('test-token:ada:slack')
    await done.accounts.gmail?.token()
    expect(asked).toEqual([
      ['status', ADA, 'slack', ['write']],
      ['status', ADA, 'gmail', undefined],
      ['token', ADA, 'slack', ['write']],
      ['token', ADA, 'gmail', undefined],
    ])
    expect(principalOf(world({ tenant: 'acme' }).participant().execution)).toStrictEqual({ ...ADA, tenant: 'acme' })
    expect(principalOf(world().participant().execution)).toStrictEqual(ADA)
  })
  test('that fails rejects with its own error, not with a refusal', async () => {
    const { connect, accounts } = world()
    accounts.status = () => Promise.reject(new Error('away'))
    await expect(connect({ integrations: ['slack'] })).rejects.toThrow('away')
  })
})

test('withAuth counts its uses, and knows whether an earlier execution asked', async () => {
  const { participant, connect, questions, connected, execution } = world()
  const at = participant()
  expect([authHost(at).turn, authHost(at).turn]).toEqual([1, 2])
  const host = authHost(participant(execution()))
  expect([host.principal, await host.asked('k')]).toEqual([ADA, false])
  const connecting = connect({ integrations: ['slack'], key: 'k' })
  await questions()
  await answered(connecting, () => connected(['slack']))
  const again = authHost(participant(execution()))
  expect([await again.asked('k'), await again.asked('other')]).toEqual([true, false])
  expect(await again.connect({ integrations: ['slack'], key: 'k' })).toMatchObject({ outcome: 'connected' })
})

/** A question that a test leaves open would wait endlessly. */
async function answered(connecting: Promise<unknown>, answer: () => Promise<void>) {
  await answer()
  await connecting
}
