/**
 * Codes of the Chat SDK's errors for a user who blocked the bot, or a chat that does not exist. A retry would not help.
 */
const FOR_GOOD: ReadonlySet<unknown> = new Set(['PERMISSION_DENIED', 'NOT_FOUND'])

export const isUnreachable = (error: unknown): boolean => FOR_GOOD.has(((error ?? {}) as { code?: unknown }).code)

/** Adds `retryAfterMs` to an error, for deliveries. Adapters report the delay in seconds as `retryAfter`. */
export function withRetryTime(error: unknown): unknown {
  const { retryAfter } = (error ?? {}) as { retryAfter?: unknown }
  if (typeof retryAfter !== 'number') return error
  const waiting = new Error('The chat platform asks to wait.', { cause: error })
  return Object.assign(waiting, { retryAfterMs: retryAfter * 1_000 })
}
