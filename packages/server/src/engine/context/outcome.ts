import { InteractionRefused } from '../api/interaction-refused.ts'
import type { Refused } from '../api/questions.ts'

/** Turns what a question rejects with, when it is no yes, into the union that `try…` answers. */
export function refusedOf(error: unknown): Refused {
  if (error instanceof InteractionRefused && error.outcome !== undefined) {
    return { outcome: error.outcome, ...(error.reason !== undefined && { reason: error.reason }) }
  }
  throw error
}

/** And back: everything but the yes rejects. */
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
