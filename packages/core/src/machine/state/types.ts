import type {
  AuthNeededEvent,
  AuthResultEvent,
  HoldpointEvent,
  InteractionClosedEvent,
  InteractionRequestEvent,
  InteractionResponseEvent,
} from '../../protocol/events.ts'
import type { SessionSnapshot } from '../../protocol/index.ts'
import type { RunStatus } from '../../protocol/interaction.ts'
import type { Permission } from '../../protocol/snapshot.ts'

/** How a question stands. `submitting` and `not_sent` are about the answer of this client; the rest the server said. */
export type InteractionStatus =
  | 'pending'
  /** Sent, not yet confirmed. */
  | 'submitting'
  /** Sending failed; the answer is kept and can be sent again. */
  | 'not_sent'
  | 'answered'
  | 'expired'
  | 'cancelled'
  | 'superseded'
  | 'failed'

/** An answer as a component hands it over; also what is kept while it is being sent. */
export interface Answer {
  action: 'approve' | 'deny' | 'submit' | 'decline' | 'cancel'
  approvalScope?: 'once' | 'session' | 'always'
  input?: Record<string, unknown>
  args?: unknown
  diffDecisions?: Record<string, 'accept' | 'reject'>
  reason?: string
  /** Of the question as it was drawn; the client adds that of the question which it holds. */
  shownDigest?: string
}

/** Who answered a question: to tell this person apart from a colleague or from another tab. */
export interface Answerer {
  readonly userId?: string | undefined
  readonly name?: string | undefined
  readonly clientId: string
}

/** Why an answer was not taken: one sentence to show, and what is wrong with each field of a form. */
export interface AnswerProblem {
  code: string
  message: string
  fieldErrors?: Record<string, string[]>
}

/** One question and all that is known of it. Unchanged interactions keep their identity between snapshots. */
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
  /** The tool stopped waiting; an answer still counts and starts a new turn. */
  readonly deferred: boolean
  readonly response?: InteractionResponseEvent | undefined
  readonly closed?: InteractionClosedEvent | undefined
  readonly authResult?: AuthResultEvent | undefined
  /** Of `connect`: integrations connected so far. */
  readonly connected: readonly string[]
  /** True when this client gave the answer that won. */
  readonly answeredHere: boolean
  /** Who gave the answer that won, and when (ISO): from the log, or from the server's "already answered". */
  readonly answeredBy?: Answerer | undefined
  readonly answeredAt?: string | undefined
  /** The answer that this client is sending, could not send, or knows to be accepted before the log says so. */
  readonly draft?: { readonly answerId: string; readonly answer: Answer } | undefined
  /** What the server or network had against the last answer of this client. */
  readonly problem?: AnswerProblem | undefined
  /** The prompt before, when this one asks again on the same surface. */
  readonly replaces?: string | undefined
  /** The prompt after, when this one was asked again. */
  readonly replacedBy?: string | undefined
}

/** How far one run of an agent is, as its last `run_status` said. Read it with `selectRun`. */
export interface RunState {
  readonly runId: string
  readonly status: RunStatus
  readonly reason?: string | undefined
}

/** What is known of one tool call, for the place in a chat where it is drawn. Read it with `selectToolCall`. */
export interface ToolCallState {
  readonly toolCallId: string
  readonly toolName: string
  readonly runId?: string | undefined
  /** `running` from `tool_call_start` on, then what the server says; `unknown` while only questions were seen of it. */
  readonly status: string
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: { readonly code: string; readonly message: string } | undefined
  readonly logs: readonly string[]
  /** Ids of the questions of this call, oldest first, reprompts included. */
  readonly interactionIds: readonly string[]
}

/**
 * How the connection to the server stands. `unauthorized` waits for new credentials and `client.reconnect()`, `closed` for `client.connect()`.
 */
export type ConnectionStatus = 'connecting' | 'open' | 'reconnecting' | 'offline' | 'unauthorized' | 'closed'
/** The connection as a banner shows it: its status, and when the client tries again by itself. */
export interface ConnectionState {
  readonly status: ConnectionStatus
  /** Failures since it was last open. */
  readonly attempt: number
  /** When the next attempt is due, milliseconds of the client's clock. */
  readonly retryAt?: number | undefined
  readonly error?: { readonly code: string; readonly message: string } | undefined
}

/** Everything that a user interface needs to know of one session. Immutable; read it through selectors. */
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
  /** Goes up with every change that a listener is told of: a cheap "did anything happen". */
  readonly version: number
  readonly runs: ReadonlyMap<string, RunState>
  readonly interactions: ReadonlyMap<string, Interaction>
  /** By tool call id: the newest run's, where several runs used the same. `selectToolCall` finds the others. */
  readonly toolCalls: ReadonlyMap<string, ToolCallState>
  /** Ids of the questions that are still open (being sent and not sent included), oldest first. */
  readonly pendingIds: readonly string[]
}

/** One event of the log with its place in it. */
export interface LogEntry {
  readonly cursor: string
  readonly event: HoldpointEvent
}

/** What can happen to a session, from outside. */
export type MachineInput =
  /**
   * Events in log order. Those at or before the known cursor are dropped; after a gap nothing is applied. So many as
   * `unread` may be missing without being a gap: they arrived, but could not be read.
   */
  | { type: 'events'; events: readonly LogEntry[]; unread?: number }
  /**
   * Where the session stands. Replaces what was known, except what the same history still has to say. With
   * `log: true` only who you are and what time it is are taken from it: the log itself will tell the rest.
   */
  | { type: 'snapshot'; snapshot: SessionSnapshot; log?: boolean }
  /** The server cannot continue from our cursor; a snapshot follows. */
  | { type: 'reset'; reason: string }
  | { type: 'connection'; connection: ConnectionState }
  | { type: 'mode'; enabled: boolean }
  | { type: 'submit'; interactionId: string; answerId: string; answer: Answer }
  | { type: 'accepted'; interactionId: string; answerId: string }
  /** The answer did not win: `status` is what the question is now. */
  | {
      type: 'rejected'
      interactionId: string
      answerId: string
      status: 'pending' | 'not_sent' | 'answered' | 'expired' | 'cancelled' | 'superseded'
      problem?: AnswerProblem | undefined
      answeredBy?: Answerer | undefined
      answeredAt?: string | undefined
    }

/** What the machine wants done; the client does it. */
export type MachineEffect =
  | { type: 'changed'; topics: readonly Topic[] }
  /** These events were new; the others had been seen. */
  | { type: 'applied'; events: readonly LogEntry[] }
  /** Events are missing or belong to another history: read on from the known cursor; the server knows what to do. */
  | { type: 'resync'; reason: 'gap' | 'epoch' | 'forked' }

/** What a screen reader is told about: a question was asked, was answered, or ended without an answer. */
export type AnnouncementKind = 'asked' | 'answered' | 'closed'

/** What became of one question, to be said aloud. */
export interface Announcement {
  readonly kind: AnnouncementKind
  readonly interactionId: string
}

/** What a listener can be told of: one interaction, call or run, the list of what is pending, and so on. */
export type Topic =
  | `interaction:${string}`
  | `call:${string}`
  | `run:${string}`
  /** `pendingIds` */
  | 'pending'
  | 'connection'
  | 'mode'
  /** `you`, `ready`, `clockOffset` */
  | 'session'
