import type {
  AuthNeededEvent,
  AuthResultEvent,
  HoldpointEvent,
  InteractionClosedEvent,
  InteractionRequestEvent,
  InteractionResponseEvent,
} from '../../protocol/events.ts'
import type { RunStatus } from '../../protocol/interaction.ts'
import type { Permission, SessionSnapshot } from '../../protocol/snapshot.ts'

/**
 * The status of a question. `submitting` and `not_sent` describe the answer of this client; the others come from the
 * server.
 */
export type InteractionStatus =
  | 'pending'
  /** Sent and not yet confirmed. */
  | 'submitting'
  /** Sending failed; the answer is kept and can be sent again. */
  | 'not_sent'
  | 'answered'
  | 'expired'
  | 'cancelled'
  | 'superseded'
  | 'failed'

/** An answer as a component passes it to `respond`. The client also keeps it while it is being sent. */
export interface Answer {
  action: 'approve' | 'deny' | 'submit' | 'decline' | 'cancel'
  approvalScope?: 'once' | 'session' | 'always'
  input?: Record<string, unknown>
  args?: unknown
  diffDecisions?: Record<string, 'accept' | 'reject'>
  reason?: string
  /** The digest of the question that was drawn. The client adds that of the question that it holds. */
  shownDigest?: string
}

/** The user and client that answered a question, to distinguish this person, another tab and other users. */
export interface Answerer {
  readonly userId?: string | undefined
  readonly name?: string | undefined
  readonly clientId: string
}

/** The reason why an answer was rejected: a sentence for the person, and the problems of each field of a form. */
export interface AnswerProblem {
  code: string
  message: string
  fieldErrors?: Record<string, string[]>
}

/** One question with its complete state. Unchanged interactions keep their identity between snapshots. */
export interface Interaction {
  readonly interactionId: string
  readonly kind: 'approval' | 'input' | 'connect' | 'unknown'
  readonly status: InteractionStatus
  readonly toolCallId: string
  readonly toolName: string
  readonly runId?: string | undefined
  /** The event that asked. */
  readonly request: InteractionRequestEvent | AuthNeededEvent
  /** Milliseconds of the server's clock. */
  readonly expiresAt: number
  /** The tool stopped waiting. An answer still counts and starts a new turn. */
  readonly deferred: boolean
  readonly response?: InteractionResponseEvent | undefined
  readonly closed?: InteractionClosedEvent | undefined
  readonly authResult?: AuthResultEvent | undefined
  /** The integrations that are connected so far, for `connect`. */
  readonly connected: readonly string[]
  /** True when this client gave the answer that won. */
  readonly answeredHere: boolean
  /**
   * The user and client of the winning answer, and its time (ISO), from the log or from the server's "already
   * answered".
   */
  readonly answeredBy?: Answerer | undefined
  readonly answeredAt?: string | undefined
  /** The answer that this client is sending, could not send, or knows as accepted before the log contains it. */
  readonly draft?: { readonly answerId: string; readonly answer: Answer } | undefined
  /** The error of this client's last answer, from the server or the network. */
  readonly problem?: AnswerProblem | undefined
  /** The previous prompt, if this one asks again. */
  readonly replaces?: string | undefined
  /** The next prompt, if this one was asked again. */
  readonly replacedBy?: string | undefined
}

/** The state of one run, from its last `run_status`. Read it with `selectRun`. */
export interface RunState {
  readonly runId: string
  readonly status: RunStatus
  readonly reason?: string | undefined
}

/** The state of one tool call, for its place in a chat. Read it with `selectToolCall`. */
export interface ToolCallState {
  readonly toolCallId: string
  readonly toolName: string
  readonly runId?: string | undefined
  /**
   * `running` after `tool_call_start`, later the status from the server; `unknown` while only questions of the call
   * have arrived.
   */
  readonly status: string
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: { readonly code: string; readonly message: string } | undefined
  readonly logs: readonly string[]
  /** Ids of the questions of this call, oldest first, reprompts included. */
  readonly interactionIds: readonly string[]
}

/**
 * The status of the connection to the server. `unauthorized` waits for new credentials and `client.reconnect()`,
 * `closed` for `client.connect()`.
 */
export type ConnectionStatus = 'connecting' | 'open' | 'reconnecting' | 'offline' | 'unauthorized' | 'closed'
/** The connection as a banner shows it: its status, and the time of the next attempt. */
export interface ConnectionState {
  readonly status: ConnectionStatus
  /** The number of failures since the last open connection. */
  readonly attempt: number
  /** The time of the next attempt, in milliseconds of the client's clock. */
  readonly retryAt?: number | undefined
  readonly error?: { readonly code: string; readonly message: string } | undefined
}

/** The complete state of one session for a user interface. Immutable; read it through selectors. */
export interface SessionState {
  readonly sessionId: string
  readonly clientId: string
  readonly you: { readonly userId: string; readonly can: readonly Permission[] } | null
  readonly cursor: string | null
  /** True once a snapshot or the log's beginning has been applied. */
  readonly ready: boolean
  readonly interactiveMode: boolean
  readonly connection: ConnectionState
  /** Server clock minus client clock, milliseconds. */
  readonly clockOffset: number
  /** Increases with every change that notifies a listener: a cheap check for any change. */
  readonly version: number
  readonly runs: ReadonlyMap<string, RunState>
  readonly interactions: ReadonlyMap<string, Interaction>
  /** Tool calls by id. If several runs used the same id, this is the newest; `selectToolCall` finds the others. */
  readonly toolCalls: ReadonlyMap<string, ToolCallState>
  /** Ids of the open questions, oldest first, including those that are being sent or could not be sent. */
  readonly pendingIds: readonly string[]
}

/** One event of the log with its cursor. */
export interface LogEntry {
  readonly cursor: string
  readonly event: HoldpointEvent
}

/** An input of the machine. */
export type MachineInput =
  /**
   * Events in log order. Events at or before the known cursor are dropped, and after a gap nothing is applied. Up to
   * `unread` events may be missing without a gap, because they arrived but could not be read.
   */
  | { type: 'events'; events: readonly LogEntry[]; unread?: number }
  /**
   * The current state of the session. It replaces the known state, except for facts of the same history that it omits.
   * With `log: true` only the principal and the time are taken from it, because the log itself provides the rest.
   */
  | { type: 'snapshot'; snapshot: SessionSnapshot; log?: boolean }
  /** The server cannot continue from our cursor; a snapshot follows. */
  | { type: 'reset'; reason: string }
  | { type: 'connection'; connection: ConnectionState }
  | { type: 'mode'; enabled: boolean }
  | { type: 'submit'; interactionId: string; answerId: string; answer: Answer }
  | { type: 'accepted'; interactionId: string; answerId: string }
  /** The answer did not win. `status` is the question's status now. */
  | {
      type: 'rejected'
      interactionId: string
      answerId: string
      status: 'pending' | 'not_sent' | 'answered' | 'expired' | 'cancelled' | 'superseded'
      problem?: AnswerProblem | undefined
      answeredBy?: Answerer | undefined
      answeredAt?: string | undefined
    }

/** An effect for the client to execute. */
export type MachineEffect =
  | { type: 'changed'; topics: readonly Topic[] }
  /** The events that were new. */
  | { type: 'applied'; events: readonly LogEntry[] }
  /**
   * Events are missing or belong to another history: read again from the known cursor, and the server decides how to
   * continue.
   */
  | { type: 'resync'; reason: 'gap' | 'epoch' | 'forked' }

/** The kinds of announcements: a question was asked, was answered, or ended without an answer. */
export type AnnouncementKind = 'asked' | 'answered' | 'closed'

/** The outcome of one question, as a screen reader announces it. */
export interface Announcement {
  readonly kind: AnnouncementKind
  readonly interactionId: string
}

/** A topic of listeners: one interaction, call or run, the list of pending questions, and others. */
export type Topic =
  | `interaction:${string}`
  | `call:${string}`
  | `run:${string}`
  /** `pendingIds` */
  | 'pending'
  | 'connection'
  /** The client sends unsent answers again: an application can repeat its own requests at this time. */
  | 'resend'
  | 'mode'
  /** `you`, `ready`, `clockOffset` */
  | 'session'
