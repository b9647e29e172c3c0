import { describe, expect, test } from 'vitest'
import { memoryTokenStore } from './memory-token-store.ts'
import { type RefreshContext, refreshAccount } from './refresh-account.ts'
import { manualEnvironment } from './testing/manual-environment.ts'
import type { AccountRecord, TokenSet } from './types.ts'

const record = (tokens: TokenSet | null, version = '1.a'): AccountRecord => ({ version, tokens, data: { kept: 'yes' } })

async function account(tokens: TokenSet | null, more: Partial<RefreshContext> = {}) {
  const time = manualEnvironment(1_000_000)
  const store = memoryTokenStore()
  await store.write('slack', null, record(tokens))
  const presented: (string | undefined)[] = []
  const early: number[] = []
  const answers: (TokenSet | Error | Promise<TokenSet>)[] = []
  const context: RefreshContext = {
    account: 'slack',
    store,
    refresh: async (held) => {
      presented.push(held?.refreshToken)
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!
      if (answer instanceof Error) throw answer
      return answer
    },
    refreshBy: 'token',
    refreshTimeoutMs: 4_000,
    earlyMs: 0,
    env: time.env,
    onEarlyFailure: () => void early.push(time.env.now()),
    ...more,
  }
  const refreshed = (rejected?: string) => refreshAccount(context, rejected)
  return { time, store, presented, answers, early, refreshed, held: () => store.read('slack') }
}
const over: TokenSet = { accessToken: 'old', refreshToken: 'r-0', expiresAt: 1_000_000 }

describe('successful responses of the service', () => {
  test('the previous refresh token and the extra data are kept if the response has none', async () => {
    const { refreshed, answers, held } = await account(over)
    answers.push({ accessToken: 'new', expiresAt: 2_000_000 })
    const tokens = { accessToken: 'new', refreshToken: 'r-0', expiresAt: 2_000_000, obtainedAt: 1_000_000 }
    expect(await refreshed()).toMatchObject({ tokens, data: { kept: 'yes' } })
    expect(await held()).toMatchObject({ tokens, data: { kept: 'yes' } })
  })

  test('a token that is already expired is used after one request', async () => {
    const { refreshed, answers, presented } = await account(over)
    answers.push({ accessToken: 'new', refreshToken: 'r-1', expiresAt: 1_000_000 })
    expect((await refreshed()).tokens?.accessToken).toBe('new')
    expect(presented).toEqual(['r-0'])
  })

  test('a refresh without a refresh token rejects with session_lost and sends no request', async () => {
    const { refreshed, presented } = await account({ accessToken: 'old', expiresAt: 1_000_000 })
    await expect(refreshed()).rejects.toMatchObject({ code: 'session_lost' })
    expect(presented).toEqual([])
  })
})

describe('failures of the service', () => {
  const lost = new TypeError('fetch failed')

  test('a failed request is repeated once after a pause', async () => {
    const { refreshed, answers, presented, time } = await account(over)
    answers.push(lost, { accessToken: 'new' })
    const done = refreshed()
    // By chance half to one and a half times 400 ms; the chance here is a half.
    await time.advance(399)
    expect(presented).toHaveLength(1)
    await time.advance(1)
    expect([(await done).tokens?.accessToken, presented]).toEqual(['new', ['r-0', 'r-0']])
    expect(time.pendingTimers()).toBe(0)
  })

  test('a request that exceeds its time is aborted and abandoned even if it ignores the abort', async () => {
    const signals: AbortSignal[] = []
    const refresh = (_: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal)
      return new Promise<never>(() => {})
    }
    const { refreshed, time } = await account(over, { refresh })
    const failing = refreshed().catch((error: Error) => error.message)
    await time.advance(3_999)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    await time.advance(1)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    await time.advance(400 + 4_000)
    expect(await failing).toContain('no answer in time')
    expect([signals.length, time.pendingTimers()]).toEqual([2, 0])
  })

  test.each<[string, TokenSet, string | undefined, string]>([
    ['a token that lives is used on', { ...over, expiresAt: 1_000_401 }, undefined, 'old'],
    ['one that ended in between is not', { ...over, expiresAt: 1_000_400 }, undefined, 'refresh_failed'],
    ['a rejected request is not repeated', { ...over, expiresAt: 9_000_000 }, 'old', 'refresh_failed'],
  ])('%s', async (_, tokens, rejected, outcome) => {
    const { refreshed, answers, time, early } = await account(tokens, { earlyMs: 1_000 })
    answers.push(lost)
    const done = refreshed(rejected).then(
      ({ tokens: used }) => used?.accessToken,
      (error) => error.code,
    )
    await time.advance(400)
    expect(await done).toBe(outcome)
    expect(early).toEqual(outcome === 'old' ? [1_000_400] : [])
  })
})

describe('tokens that another process writes during the request', () => {
  const mine: TokenSet = { accessToken: 'mine', refreshToken: 'r-m' }
  /** `theirs` is stored before our own tokens arrive. */
  async function meanwhile(theirs: TokenSet | null, rejected?: string) {
    let answer = (_: TokenSet) => {}
    const it = await account({ ...over, ...(rejected ? { expiresAt: 9_000_000 } : {}) })
    it.answers.push(new Promise((resolve) => (answer = resolve)))
    const done = it.refreshed(rejected)
    await it.time.settle()
    const before = (await it.held()) as AccountRecord
    await it.store.write('slack', before.version, { ...record(theirs, '2.theirs'), data: { theirs: 'too' } })
    answer(mine)
    return { ...it, done }
  }

  test('are used if they are valid', async () => {
    const { done, held } = await meanwhile({ accessToken: 'theirs', expiresAt: 1_000_001 })
    expect((await done).tokens?.accessToken).toBe('theirs')
    expect(await held()).toMatchObject({ version: '2.theirs' })
  })

  test('are replaced by ours if they have expired, and their data is kept', async () => {
    const { done, held } = await meanwhile({ accessToken: 'theirs', expiresAt: 1_000_000 })
    expect((await done).tokens?.accessToken).toBe('mine')
    expect(await held()).toMatchObject({ tokens: mine, data: { theirs: 'too' } })
  })

  test('replace nothing if only the extra data changed: ours replace the rejected ones', async () => {
    const { done, held } = await meanwhile({ ...over, expiresAt: 9_000_000 }, 'old')
    expect((await done).tokens?.accessToken).toBe('mine')
    expect(await held()).toMatchObject({ tokens: mine, data: { theirs: 'too' } })
  })

  test('drop ours if the user signed out', async () => {
    const { done, held } = await meanwhile(null)
    await expect(done).rejects.toMatchObject({ code: 'signed_out' })
    expect((await held())?.tokens).toBeNull()
  })
})

test('a refresh that loses a hundred races fails after one request to the service', async () => {
  const inner = memoryTokenStore()
  let count = 0
  const it = await account(over, {
    store: { ...inner, read: async () => record(over, `${++count}.other`), write: async () => false },
  })
  it.answers.push({ accessToken: 'mine', refreshToken: 'r-m' })
  await expect(it.refreshed()).rejects.toMatchObject({ code: 'store_contended' })
  expect(it.presented).toEqual(['r-0'])
})

test('a refresh that loses a hundred races while it records the lost session fails as well', async () => {
  const inner = memoryTokenStore()
  const gone = { accessToken: 'old', expiresAt: 1_000_000 }
  const it = await account(gone, { store: { ...inner, read: async () => record(gone), write: async () => false } })
  await expect(it.refreshed()).rejects.toMatchObject({ code: 'store_contended' })
})
