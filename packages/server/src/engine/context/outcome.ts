import { InteractionRefused } from '../api/interaction-refused.ts'
import type { Refused } from '../api/questions.ts'

/** Converts a rejection of a question to the outcome that the `try…` functions return. */
export function refusedOf(error: unknown): Refused {
  if (error instanceof InteractionRefused && error.outcome !== undefined) {
    return { outcome: error.outcome, ...(error.reason !== undefined && { reason: error.reason }) }
  }
  throw error
}

/** Converts an outcome to a rejection, unless it is an approval. */
export function orRefuse<T extends { outcome: string }>(value: T | Refused): Exclude<T, Refused> {
  if (isRefused(value))
    throw new InteractionRefused(value.outcome, value.reason === undefined ? {} : { reason: value.reason })
  return value as Exclude<T, Refused>
}

export const refusals: ReadonlySet<string> = new Set([
  'denied',
  'declined',
  'cancelled',
  'expired',
  'superseded',
  'unavailable',
])

export function isRefused(value: { outcome: string }): value is Refused {
  return refusals.has(value.outcome)
}
