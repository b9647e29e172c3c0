import type { RefusalOutcome } from '../state/rows.ts'

interface DeliveryBase {
  /** The same for every repeat of this delivery. */
  deliveryId: string
  tenant: string
  sessionId: string
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

/** An answer that came when its tool had gone on: start a new turn with `message`. */
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
