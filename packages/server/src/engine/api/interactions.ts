import type {
  AuthNeededEvent,
  ErrorCode,
  FieldErrors,
  InteractionRequestEvent,
  Responder,
  ToolInteractionResponseMessage,
} from '@holdpoint/core/internal'
import type { Principal } from '../../base/principal.ts'
import type { QuestionKind, QuestionStatus } from '../state/rows.ts'

/** An interaction as it stands in the store. */
export interface InteractionRecord {
  interactionId: string
  tenant: string
  sessionId: string
  /** The owner of the session. */
  userId: string
  /** Other users who may answer. */
  audience: readonly string[]
  runId: string
  toolCallId: string
  toolName: string
  kind: QuestionKind
  /** `open` and `deferred` interactions can be answered. */
  status: QuestionStatus
  askedAt: Date
  expiresAt: Date
  /** The event that clients received: prompt, arguments, fields. */
  request: InteractionRequestEvent | AuthNeededEvent
  /** Of a request for accounts: those that are connected. */
  connected?: readonly string[]
  answer?: { action: string; at: Date; by: Responder; reason?: string }
}

/** Which interactions `holdpoint.interactions.list` returns. Without `sessionId` it lists pending ones only. */
export interface InteractionFilter {
  tenant?: string
  /** Interactions that this user may answer: own ones, and those whose audience names the user. */
  userId?: string
  sessionId?: string
  toolName?: string
  kind?: QuestionKind
  /** @default all that the list can contain */
  status?: QuestionStatus | readonly QuestionStatus[]
  /** Asked at least this long ago, in milliseconds. */
  olderThanMs?: number
  /** The `next` of the page before. */
  after?: string
  /** @default 50, at most 200 */
  limit?: number
}

/** One page of interactions. A page can be shorter than its limit, or empty, and still have a `next`. */
export interface InteractionList {
  interactions: InteractionRecord[]
  next?: string
}

/** What `holdpoint.answer` takes. */
export interface AnswerOptions {
  /** The authenticated user who answers. */
  principal: Principal
  sessionId: string
  interactionId: string
  /** Identifies this answer. A retry with the same id and content returns `accepted` again. */
  answerId: string
  /** Names the surface, for example `slack:T024:U17`. Shown to others as part of `respondedBy`. */
  clientId: string
  answer: Omit<ToolInteractionResponseMessage, 'type' | 'callId' | 'interactionId' | 'answerId' | 'clientId'>
}

/** What came of an answer: the same codes, messages and facts that HTTP clients receive. */
export type AnswerOutcome =
  | { status: 'accepted'; replayed?: boolean }
  | {
      status: 'refused'
      code: ErrorCode
      message: string
      /** Of `invalid_input`: errors by field. The question stays open. */
      fieldErrors?: FieldErrors
      /** Of `already_answered`. */
      respondedBy?: Responder
      respondedAt?: string
      retryAfterMs?: number
    }
