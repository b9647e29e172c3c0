import type { QuestionKind, RefusalOutcome } from '../state/rows.ts'
import type { DeliveryName } from './deliveries.ts'

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
  /** The W3C trace context in which the question was answered. */
  answeredIn?: string
}
interface QuestionStep extends Step {
  interactionId: string
  kind: QuestionKind
  attempt: number
}

/** The steps of questions, calls and deliveries, in the order in which this process sees them. */
export type LifecycleEvent =
  | (QuestionStep & { type: 'asked' })
  /** A client that can answer shows the question for the first time. */
  | (QuestionStep & { type: 'shown' })
  | (QuestionStep & { type: 'answered'; action: string; waitedMs: number; late: boolean })
  /** An answer was refused. */
  | (QuestionStep & { type: 'refused'; code: string })
  /**
   * The deadline passed without an answer. `closed` reports the consequence, or a deferred question that is answered
   * late.
   */
  | (QuestionStep & { type: 'timed_out'; waitedMs: number })
  /** The question has ended: its tool has handled it, or never will. Reported once for each question. */
  | (QuestionStep & { type: 'closed'; outcome: string; refusal?: RefusalOutcome; waitedMs: number })
  /** The waiting code continues. */
  | (QuestionStep & { type: 'resumed'; waitedMs: number })
  | (Step & { type: 'call_started' | 'call_suspended' | 'call_recovered' | 'call_lost' })
  | (Step & { type: 'call_finished'; status: string })
  | (Step & {
      type: 'delivered' | 'delivery_failed'
      delivery: DeliveryName
      attempts: number
    })
