import type { QuestionKind, RefusalOutcome } from '../state/rows.ts'

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
  /**
   * The deadline passed without an answer. `closed` reports the consequence, or a deferred question that is answered
   * late.
   */
  | (QuestionStep & { type: 'timed_out'; waitedMs: number })
  /** It is over: its tool has dealt with it, or will not any more. Comes once for each that was asked. */
  | (QuestionStep & { type: 'closed'; outcome: string; refusal?: RefusalOutcome; waitedMs: number })
  /** The waiting code continues. */
  | (QuestionStep & { type: 'resumed'; waitedMs: number })
  | (Step & { type: 'call_started' | 'call_suspended' | 'call_recovered' | 'call_lost' })
  | (Step & { type: 'call_finished'; status: string })
  | (Step & {
      type: 'delivered' | 'delivery_failed'
      delivery: 'tool_result' | 'follow_up' | 'asked' | 'reminder' | 'settled'
      attempts: number
    })
