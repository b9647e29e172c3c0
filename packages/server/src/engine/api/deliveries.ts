import type { Json } from '../../base/canonical-json.ts'
import type { QuestionKind, RefusalOutcome } from '../state/rows.ts'
import type { SettledOutcome } from '../state/settled-outcome.ts'

interface DeliveryBase {
  /** The same for every repeat of this delivery. */
  deliveryId: string
  tenant: string
  sessionId: string
  /** The owner of the session. */
  userId: string
  runId: string
  toolCallId: string
  toolName: string
}
/** A result that no promise waits for any more. */
export type ToolResultDelivery = DeliveryBase &
  (
    | { status: 'completed'; result: unknown }
    | { status: 'refused'; result: { refused: RefusalOutcome; reason?: string; output?: unknown } }
    | { status: 'error'; result: { error: { code: string; message: string } } }
  )

/** An answer that arrived after its tool had continued: start a new turn with `message`. */
export interface FollowUpDelivery extends DeliveryBase {
  reason: 'late_answer' | 'orphaned'
  interactionId: string
  /** The answer in words, for the model. */
  message: string
  answer: {
    action: string
    approvalScope?: string
    input?: Record<string, unknown>
    args?: unknown
    reason?: string
  }
}

/** An interaction waits for a person: send an e-mail or a push message. */
export interface AskedNotice extends NoticeBase {
  /** 0 when the interaction was opened, then the number of the reminder. */
  reminder: number
  prompt?: string
  /** Users who may answer besides the owner. */
  audience: readonly string[]
  expiresAt: Date
  /** The interaction that this one asks again. */
  replaces?: string
  /** A user who may answer has the session open. */
  present: boolean
  /** From the `questionUrl` option. Opening it never answers anything. */
  url?: string
}

/**
 * An interaction cannot be answered any more. The notice is a pointer: read the answer with
 * `holdpoint.interactions.get`, or call the gate again.
 */
export interface SettledNotice extends NoticeBase {
  outcome: SettledOutcome
  /** The `wake` value of the tool call that asked. */
  wake?: Json
}

interface NoticeBase extends DeliveryBase {
  interactionId: string
  kind: QuestionKind
}
