import { browserEnvironment } from '../client/api/environment.ts'
import type { ClientEnvironment } from '../client/api/types.ts'
import { isHoldpointError } from '../error.ts'
import { fetchWithToken } from './fetch-with-token.ts'
import { freshUntil, isLive, later, versionAfter } from './freshness.ts'
import { keepFresh } from './keep-fresh.ts'
import { memoryTokenStore } from './memory-token-store.ts'
import { noLock } from './no-lock.ts'
import { MAX_ROUNDS, refreshAccount } from './refresh-account.ts'
import { tokenErrors } from './token-errors.ts'
import type { AccountRecord, TokenManager, TokenManagerOptions, TokenSet, TokenStatus } from './types.ts'

/**
 * Keeps the tokens of one account fresh, with one refresh at a time across calls, tabs and processes. A network failure
 * does not sign the user out, and a user who signed out stays signed out.
 *
 * @example
 * const tokens = createTokenManager({
 *   store: browserTokenStore(),
 *   lock: webLock(),
 *   refreshBy: 'cookie',
 *   refresh: async (_, { signal }) => tokensFromResponse(await post('/auth/refresh', { signal }), Date.now()),
 * })
 * const response = await tokens.fetch('/api/tasks')
 */
export function createTokenManager(options: TokenManagerOptions): TokenManager {
  const env: ClientEnvironment = { ...browserEnvironment(), ...options.environment }
  const { account = 'default', store = memoryTokenStore(), lock = noLock(), refreshBy = 'token', revoke } = options
  const { cooldownMs = 30_000, refreshTimeoutMs = 4_000, lockWaitMs = 12_000 } = options
  const earlyMs = (options.refreshEarlyMs ?? 300_000) + env.random() * (options.jitterMs ?? 30_000)
  const context = {
    account,
    store,
    refresh: options.refresh,
    revoke,
    refreshBy,
    refreshTimeoutMs,
    earlyMs,
    env,
    onEarlyFailure,
  }

  // A call with a valid token reads only these two and the clock.
  let warmUntil = -Infinity
  let warm: Promise<string> = Promise.resolve('')

  let record: AccountRecord | null = null
  let status: TokenStatus = 'unknown'
  let coolUntil = -Infinity
  /** Increases with every sign-in and sign-out, so that operations begun earlier cannot override them. */
  let era = 0
  /** A sign-in or sign-out that is being written. Reads wait for it. */
  let writing: Promise<unknown> = Promise.resolve()
  let underway: Promise<string> | null = null
  const listeners = new Set<() => void>()
  const unwatch = store.subscribe?.(account, () => void reload().catch(() => {}))

  function adopt(next: AccountRecord | null): void {
    const before = status
    const tokens = next?.tokens ?? null
    record = next
    status = tokens ? 'signed-in' : next?.lost ? 'lost' : 'signed-out'
    warmUntil = tokens ? freshUntil(tokens, earlyMs) : -Infinity
    if (tokens) warm = Promise.resolve(tokens.accessToken)
    if (before !== status) for (const listener of [...listeners]) listener()
  }

  async function reload(): Promise<AccountRecord | null> {
    const began = era
    const found = await store.read(account)
    // A slow read may return a record that was replaced meanwhile.
    if (began === era && (!found || later(record, found) === found)) adopt(found)
    return found
  }

  function onEarlyFailure(): void {
    coolUntil = env.now() + cooldownMs * (1 + env.random() / 4)
  }

  /** The token in hand, if it may be used now. */
  function inHand(rejected?: string): string | null {
    const tokens = record?.tokens
    if (!tokens || tokens.accessToken === rejected) return null
    const now = env.now()
    return now < warmUntil || (now < coolUntil && isLive(tokens, now)) ? tokens.accessToken : null
  }

  async function obtain(rejected?: string): Promise<string> {
    await writing.catch(() => {})
    const began = era
    if (status === 'unknown') await reload()
    const known = inHand(rejected)
    if (known !== null) return known
    const outcome = await locked(rejected).catch((error: unknown) => ({ error }))
    if (began !== era) return obtain(rejected)
    if ('error' in outcome) {
      const lost = isHoldpointError(outcome.error, 'session_lost')
      if (lost || isHoldpointError(outcome.error, 'signed_out')) adopt({ version: '', tokens: null, lost, data: {} })
      throw outcome.error
    }
    adopt(outcome)
    return (outcome.tokens as TokenSet).accessToken
  }

  async function locked(rejected?: string): Promise<AccountRecord> {
    const ran = await lock.run(`holdpoint:token:${account}`, lockWaitMs, () => refreshAccount(context, rejected))
    if (ran.held) return ran.value
    // The holder of the lock is stuck, because it has held the lock for longer than a refresh may take. With a live
    // token there is no need to take it over.
    const found = await store.read(account)
    const tokens = found?.tokens
    if (found && tokens && tokens.accessToken !== rejected && isLive(tokens, env.now())) {
      onEarlyFailure()
      return found
    }
    return refreshAccount(context, rejected)
  }

  /** One promise for all callers. */
  function join(rejected?: string): Promise<string> {
    underway ??= obtain(rejected).finally(() => {
      underway = null
    })
    return underway
  }

  function token(): Promise<string> {
    return env.now() < warmUntil ? warm : join()
  }

  async function renew(rejected: string): Promise<string> {
    const known = inHand(rejected)
    if (known !== null) return known
    const joined = await join(rejected)
    // The pending refresh may have started before this token was rejected, and may have returned it.
    return joined === rejected ? join(rejected) : joined
  }

  /** Writes unconditionally, because signing in and out are the user's decision. */
  async function overwrite(
    tokens: (before: AccountRecord | null) => TokenSet | null,
    data: (kept: AccountRecord['data']) => AccountRecord['data'],
  ): Promise<AccountRecord> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const before = await store.read(account)
      const next = {
        version: versionAfter(before?.version, env.id()),
        tokens: tokens(before),
        data: data(before?.data ?? {}),
      }
      if (await store.write(account, before?.version ?? null, next)) return next
    }
    throw tokenErrors.contended()
  }

  const manager: TokenManager = {
    token,
    renew,
    fetch: (input, init) =>
      fetchWithToken({ tokens: manager, fetch: env.fetch, origins: options.origins }, input, init),

    async signIn(tokens, data = {}) {
      const mine = ++era
      const written = overwrite(
        () => ({ obtainedAt: env.now(), ...tokens }),
        (kept) => ({ ...kept, ...data }),
      )
      writing = written
      const now = await written
      if (mine === era) adopt(now)
    },

    async signOut() {
      const mine = ++era
      let revocable = record?.tokens ?? null
      adopt(null)
      const written = overwrite(
        (before) => {
          revocable = before?.tokens ?? revocable
          return null
        },
        (kept) => kept,
      )
      writing = written
      const now = await written
      if (mine === era) adopt(now)
      if (revocable) await revoke?.(revocable).catch(() => {})
    },

    async data() {
      return (await store.read(account))?.data ?? {}
    },

    async setData(patch) {
      await overwrite(
        (before) => before?.tokens ?? null,
        (kept) =>
          Object.fromEntries(
            Object.entries({ ...kept, ...patch }).filter((entry): entry is [string, string] => entry[1] !== undefined),
          ),
      )
    },

    status: () => status,

    subscribe(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },

    keepFresh() {
      const stop = keepFresh(env, () => {
        token().catch(() => {})
        return Math.max(warmUntil, coolUntil)
      })
      running.add(stop)
      return () => {
        running.delete(stop)
        stop()
      }
    },

    close() {
      for (const stop of [...running]) stop()
      unwatch?.()
      listeners.clear()
    },
  }
  const running = new Set<() => void>()
  return manager
}
