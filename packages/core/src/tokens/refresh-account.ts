import type { ClientEnvironment } from '../client/types.ts'
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

/** Beyond this somebody writes in a circle; each round lost means that another writer made progress. */
export const MAX_ROUNDS = 100
/** Before a lost answer is asked for again: well within the 10 seconds in which servers give it once more. */
const RETRY_AFTER_MS = 400

/**
 * Re-read, decide, refresh, write: to be run under the lock, and right without it. Resolves with a record whose token
 * can be used; rejects with an error of `tokenErrors`.
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
      // The refusal counts only while nobody has written anything else: then the loop reads that.
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

/** New tokens, or that the service refuses, or that it cannot be reached. */
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
      // The service may have rotated the token and its answer got lost: only asking again at once gets it back.
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
 * Writes what was refreshed, unless the tokens that it came from have been replaced or given up meanwhile. The service
 * is not asked again for what could not be written: it has rotated, and would take the old token for stolen.
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
    // Somebody refreshed at the same time; a server with a grace window gave both of us tokens that work.
    if (now?.tokens && replaced && env.now() < freshUntil(now.tokens, earlyMs)) return now
    before = now
  }
  throw tokenErrors.contended()
}
