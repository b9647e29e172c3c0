/** Codes of the Chat SDK's errors for a user who blocked the bot, or a chat that does not exist. A repeat changes nothing. */
const FOR_GOOD: ReadonlySet<unknown> = new Set(['PERMISSION_DENIED', 'NOT_FOUND'])

export const isUnreachable = (error: unknown): boolean => FOR_GOOD.has(((error ?? {}) as { code?: unknown }).code)

/** Adapters name seconds as `retryAfter`; deliveries wait milliseconds. */
export function withRetryTime(error: unknown): unknown {
  const { retryAfter } = (error ?? {}) as { retryAfter?: unknown }
  if (typeof retryAfter !== 'number') return error
  const waiting = new Error('The chat platform asks to wait.', { cause: error })
  return Object.assign(waiting, { retryAfterMs: retryAfter * 1_000 })
}
