import type {
  AuthNeededEvent,
  ErrorCode,
  FieldErrors,
  InteractionRequestEvent,
  Responder,
  ToolInteractionResponseMessage,
} from '@holdpoint/core/internal'
import type { Principal } from '../../base/principal.ts'
import type { CallResult, CallRow, QuestionKind, QuestionStatus } from '../state/rows.ts'
import type { SettledOutcome } from '../state/settled-outcome.ts'

/** An interaction as the store has it. */
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
  /** The names that people read, from the option `names`: of the tool, and of each requested integration by its id. */
  names: { tool: string; integrations: Readonly<Record<string, string>> }
  /** The key of the question within its tool call: the `key` that the tool passed, or its kind and number. */
  key: string
  kind: QuestionKind
  /** `open` and `deferred` interactions can be answered. */
  status: QuestionStatus
  askedAt: Date
  expiresAt: Date
  /** The event that clients received: prompt, arguments, fields. */
  request: InteractionRequestEvent | AuthNeededEvent
  /** How it ended; absent while it can be answered. */
  outcome?: SettledOutcome
  /** The interaction that asked again after the answer to this one. */
  replacedBy?: string
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

/** Names a session for reads that no user asked for. */
export interface SessionRef {
  tenant: string
  sessionId: string
}

/** Names a tool call in its session. */
export interface CallRef {
  runId: string
  toolCallId: string
}

/** A question as bridges read it. */
export interface CallInteraction extends InteractionRecord {
  /** The interaction may still change: it is open, or its tool has not used the answer yet. */
  live: boolean
  /** A framework's own approval shows it, and calls the tool again after the answer. */
  atGate: boolean
}

/** The stored state of a tool call. The messages of a framework have no influence on it. */
export interface CallState {
  /** The call is running, has finished, or stopped halfway. Another caller joins it or gets its record. */
  begun: boolean
  status: CallRow['status']
  result?: CallResult
  /** Its latest questions. */
  interactions: readonly CallInteraction[]
  /** The digest of the input to which the call and its questions are bound. */
  inputDigest?: string
}

/** Reads for bridges, remote agents and tests: they claim and change nothing, and check no permission. */
export interface EngineReads {
  /** Returns the owner of a session; null before its first event. */
  session(session: SessionRef): Promise<(SessionRef & { userId: string }) | null>
  /** Null if nothing was asked for the call and it has not begun. */
  call(session: SessionRef, call: CallRef): Promise<CallState | null>
  /** Returns the values that `once` recorded in these calls, in their order; undefined where no value is recorded. */
  recorded(session: SessionRef, steps: readonly (CallRef & { name: string })[]): Promise<unknown[]>
  /** Returns an interaction, and the time of the store when it was read. An id that no row can have finds nothing. */
  interaction(session: SessionRef, interactionId: string): Promise<{ record: InteractionRecord; now: number } | null>
  /** The questions of a run that can be answered, and the number of the next event in the session's log. */
  pending(session: SessionRef, runId: string): Promise<{ interactions: CallInteraction[]; next: number }>
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

/** The result of an answer: the same codes, messages and facts that HTTP clients receive. */
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
