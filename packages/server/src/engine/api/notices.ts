import type { Json } from '../../base/canonical-json.ts'
import type { QuestionKind } from '../state/rows.ts'
import type { SettledOutcome } from '../state/settled-outcome.ts'

export type { SettledOutcome } from '../state/settled-outcome.ts'

interface NoticeBase {
  /** The same for every repeat of this delivery. */
  deliveryId: string
  tenant: string
  sessionId: string
  /** The owner of the session. */
  userId: string
  runId: string
  toolCallId: string
  toolName: string
  interactionId: string
  kind: QuestionKind
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
