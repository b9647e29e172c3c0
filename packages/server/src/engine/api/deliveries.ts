import type { Json } from '../../base/canonical-json.ts'
import type { PlannedStep } from '../state/planned-step.ts'
import type { QuestionKind, RefusalOutcome } from '../state/rows.ts'
import type { SettledOutcome } from '../state/settled-outcome.ts'
import type { InteractionRecord } from './interactions.ts'

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

export type { PlannedStep } from '../state/planned-step.ts'

/** A result for which no promise waits. */
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
  /** A user who may answer has the session, or the inbox, on a visible page. */
  present: boolean
  /** From the `questionUrl` option. Opening it never answers anything. */
  url?: string
}

/**
 * An interaction that can no longer be answered. The notice is a pointer: read the answer with
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

/** One message: which user it is for, on which surface, and as which repeat. */
export interface OutreachMessage {
  surface: string
  tenant: string
  userId: string
  /** The same for every attempt at this message. */
  deliveryId: string
  reminder: number
  /** An earlier attempt may have sent it: its process died before it stored the reference. */
  repeat: boolean
  /** Of a reminder: the reference of the message before it. */
  previous?: Json
}

/**
 * The port between the engine and the surfaces. Every function can be called again for the same message, by another
 * node or after a crash.
 */
export interface Outreach {
  /** Decides who is notified of a question, where and when. */
  plan(interaction: InteractionRecord): Promise<readonly PlannedStep[]>
  /** The time before which this user is left in peace; undefined to notify now. */
  quietUntil(user: { tenant: string; userId: string }, now: number): Promise<number | undefined>
  /** Milliseconds for which a surface takes no message for this user; 0 when it takes them. */
  heldForMs(message: { surface: string; tenant: string; userId: string }): number
  /** Sends a message. Returns its reference, or null when the surface cannot reach the user. */
  present(interaction: InteractionRecord, message: OutreachMessage): Promise<Json | null>
  /** Returns the reference of a message that an earlier attempt sent, if the provider can tell; else null. */
  find(interaction: InteractionRecord, message: OutreachMessage): Promise<Json | null>
  /** Changes a message to the present state of its question. */
  update(ref: Json, interaction: InteractionRecord, message: OutreachMessage): Promise<void>
}

/** The kinds of deliveries to hooks and surfaces. */
export type DeliveryName =
  | 'tool_result'
  | 'follow_up'
  | 'asked'
  | 'reminder'
  | 'settled'
  | 'surface_plan'
  | 'surface_step'
  | 'surface_message'
  | 'surface_settled'
