import type { ClientEnvironment } from '../client/api/types.ts'
import { freshUntil, isLive, nextStep, versionAfter } from './freshness.ts'
import { isFinalAnswer, isInvalidGrant, nameOf, tokenErrors } from './token-errors.ts'
import type { AccountRecord, TokenManagerOptions, TokenSet, TokenStore } from './types.ts'

export interface RefreshContext {
  account: string
  store: TokenStore
  refresh: TokenManagerOptions['refresh']
  revoke?: TokenManagerOptions['revoke']
  refreshBy: 'token' | 'cookie'
  refreshTimeoutMs: number
  earlyMs: number
  env: ClientEnvironment
  /** A refresh that failed while its token still lives. */
  onEarlyFailure(): void
}

/** Beyond this limit writers loop; each lost round means that another writer made progress. */
export const MAX_ROUNDS = 100
/** Pause before a request whose response was lost: well within the 10 seconds in which servers repeat it. */
const RETRY_AFTER_MS = 400

/**
 * Re-reads, decides, refreshes and writes. It runs under the lock, and is correct without it. Resolves with a record
 * whose token is usable; rejects with an error of `tokenErrors`.
 */
export async function refreshAccount(context: RefreshContext, rejected: string | undefined): Promise<AccountRecord> {
  const { account, store, env } = context
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const record = await store.read(account)
    const step = nextStep(record, rejected, env.now(), context)
    if (step === 'use') return record as AccountRecord
    if (step === 'signed-out') throw tokenErrors.signedOut()
    if (step === 'lost') throw tokenErrors.sessionLost()
    const fresh = step === 'expired' ? 'refused' : await ask(context, record)
    if (fresh === 'refused') {
      // The rejection counts only if no other process has written; otherwise the loop reads the new record.
      if (!record) throw tokenErrors.signedOut()
      const lost = { version: versionAfter(record.version, env.id()), tokens: null, lost: true, data: record.data }
      if (await store.write(account, record.version, lost)) throw tokenErrors.sessionLost()
    } else if ('failed' in fresh) {
      const live = record?.tokens && record.tokens.accessToken !== rejected && isLive(record.tokens, env.now())
      if (!live) throw tokenErrors.refreshFailed(fresh.failed)
      context.onEarlyFailure()
      return record
    } else {
      return keep(context, record, fresh)
    }
  }
  throw tokenErrors.contended()
}

/** New tokens, a rejection by the service, or no response. */
async function ask(
  context: RefreshContext,
  record: AccountRecord | null,
): Promise<TokenSet | 'refused' | { failed: string }> {
  const { env } = context
  for (let attempt = 1; ; attempt++) {
    try {
      const fresh = await withTimeout(context, record?.tokens ?? null)
      return {
        obtainedAt: env.now(),
        ...(record?.tokens?.refreshToken ? { refreshToken: record.tokens.refreshToken } : {}),
        ...fresh,
      }
    } catch (error) {
      if (isInvalidGrant(error)) return 'refused'
      // The service may have rotated the token, and its response was lost. Only an immediate retry returns the new
      // token.
      if (attempt === 2 || isFinalAnswer(error)) return { failed: nameOf(error) }
      await new Promise<void>((done) => env.setTimeout(done, RETRY_AFTER_MS * (0.5 + env.random())))
    }
  }
}

async function withTimeout(
  { env, refresh, refreshTimeoutMs }: RefreshContext,
  tokens: TokenSet | null,
): Promise<TokenSet> {
  const controller = new AbortController()
  let timer: unknown
  const late = new Promise<never>((_, reject) => {
    timer = env.setTimeout(() => {
      controller.abort()
      reject(new DOMException('The service did not answer in time.', 'TimeoutError'))
    }, refreshTimeoutMs)
  })
  try {
    return await Promise.race([refresh(tokens, { signal: controller.signal }), late])
  } finally {
    env.clearTimeout(timer)
  }
}

/**
 * Writes the refreshed tokens unless their source was replaced or removed. The service is not asked again if the write
 * fails: the token has rotated, and the service would treat the old one as stolen.
 */
async function keep(
  { account, store, env, earlyMs, revoke }: RefreshContext,
  from: AccountRecord | null,
  fresh: TokenSet,
): Promise<AccountRecord> {
  let before = from
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = { version: versionAfter(before?.version, env.id()), tokens: fresh, data: before?.data ?? {} }
    if (await store.write(account, before?.version ?? null, next)) return next
    const now = await store.read(account)
    if (now && !now.tokens) {
      await revoke?.(fresh).catch(() => {})
      throw tokenErrors.signedOut()
    }
    const replaced = now?.tokens?.accessToken !== from?.tokens?.accessToken
    // Another process refreshed at the same time; a server with a grace window gave both of us working tokens.
    if (now?.tokens && replaced && env.now() < freshUntil(now.tokens, earlyMs)) return now
    before = now
  }
  throw tokenErrors.contended()
}
