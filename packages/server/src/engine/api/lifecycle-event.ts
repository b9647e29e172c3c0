import { isHoldpointError } from '@holdpoint/core'
import type { QuestionKind, RefusalOutcome } from '../state/rows.ts'

/** Where log lines go. They carry ids and outcomes, never prompts, arguments, inputs or reasons. */
export interface Logger {
  debug(message: string, facts?: Record<string, unknown>): void
  info(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
  error(message: string, facts?: Record<string, unknown>): void
}

interface Step {
  /** Milliseconds of the store's clock. */
  at: number
  tenant: string
  sessionId: string
  runId: string
  toolCallId: string
  toolName: string
  /** The W3C trace context in which the question was asked. */
  traceparent?: string
  /** That in which it was answered. */
  answeredIn?: string
}
interface QuestionStep extends Step {
  interactionId: string
  kind: QuestionKind
  attempt: number
}

/** What happens to questions, calls and deliveries, in the order in which this process sees it. */
export type LifecycleEvent =
  | (QuestionStep & { type: 'asked' })
  /** A client that can answer has it before it for the first time. */
  | (QuestionStep & { type: 'shown' })
  | (QuestionStep & { type: 'answered'; action: string; waitedMs: number; late: boolean })
  /** A response that did not count. */
  | (QuestionStep & { type: 'refused'; code: string })
  /** Nobody answered in time. What that means, `closed` says, or a deferred question that is answered late. */
  | (QuestionStep & { type: 'timed_out'; waitedMs: number })
  /** It is over: its tool has dealt with it, or will not any more. Comes once for each that was asked. */
  | (QuestionStep & { type: 'closed'; outcome: string; refusal?: RefusalOutcome; waitedMs: number })
  /** The waiting code goes on. */
  | (QuestionStep & { type: 'resumed'; waitedMs: number })
  | (Step & { type: 'call_started' | 'call_suspended' | 'call_recovered' | 'call_lost' })
  | (Step & { type: 'call_finished'; status: string })
  | (Step & {
      type: 'delivered' | 'delivery_failed'
      delivery: 'tool_result' | 'follow_up' | 'asked' | 'reminder' | 'settled'
      attempts: number
    })

/** What there is without a logger: what somebody has to look at goes to the console, except in tests. */
export function defaultLogger(environmentName: string | undefined): Logger {
  const say = environmentName === 'test' ? () => {} : console.error
  return {
    debug() {},
    info() {},
    warn: (message, facts = {}) => say(`[holdpoint] ${message}`, facts),
    error: (message, facts = {}) => say(`[holdpoint] ${message}`, facts),
  }
}

/**
 * The name and code of an error; its text may quote what a person typed. Not that of a store or of a row: it says what to mend, and
 * nobody else will.
 */
export function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error }
  const code: unknown = 'code' in error ? error.code : undefined
  const said = isHoldpointError(error) && /^(store|sqlite|row)_/.test(error.code) && { message: error.message }
  return { error: error.name, ...(typeof code === 'string' && { code }), ...said }
}
