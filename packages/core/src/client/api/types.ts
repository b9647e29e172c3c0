import type { Answer, Answerer, AnswerProblem, LogEntry, SessionState, Topic } from '../../machine/state/types.ts'
import type { HoldpointEvent } from '../../protocol/events.ts'
import type { UserAction } from '../../protocol/messages.ts'
import type { SessionSnapshot } from '../../protocol/snapshot.ts'
import type { Environment, Transport } from '../../transport/types.ts'

/** An event of the page that matters to the connection: network, visibility, freezing, and the back-forward cache. */
export type SurroundingsEvent = 'online' | 'offline' | 'visible' | 'hidden' | 'thawed' | 'frozen'

/**
 * Facts about the page from the platform. Browsers know whether they are online and visible; Node and workers may omit
 * it.
 */
export interface Surroundings {
  online(): boolean
  /**
   * True if the page has few connections, which it shares with other tabs of the origin, because it was loaded over
   * HTTP/1.1.
   */
  scarce?(): boolean
  /** True while the page is hidden. */
  hidden(): boolean
  /** Registers a listener for changes of both, and for the back-forward cache. Returns an unsubscribe function. */
  watch(changed: (event: SurroundingsEvent) => void): () => void
}

/**
 * Everything that a client takes from the platform. Replace parts of it in tests, or on platforms that are not
 * browsers.
 */
export type ClientEnvironment = Environment & { surroundings: Surroundings }

/** The options of `createHoldpointClient`: the session, the transport, and settings with defaults. */
export interface HoldpointClientOptions {
  sessionId: string
  transport: Transport
  /** Stable for a tab or device. @default a random id */
  clientId?: string
  /** Whether this client can show questions. @default true */
  interactive?: boolean
  /**
   * Connect with the first subscription and disconnect when the last subscriber has left, so that a client that is
   * created during server rendering opens no connection. With false, call `client.connect()` and `client.close()`.
   * @default true
   */
  autoConnect?: boolean
  /** A snapshot or recorded log to start from (server rendering, tests, stories). */
  initial?: { snapshot?: SessionSnapshot; events?: readonly LogEntry[] }
  /**
   * `snapshot` (default): start from the current state of the session. `log`: read the log from its beginning, for
   * hosts that render the whole conversation from `onEvent`. If the log was trimmed, the client starts from a snapshot,
   * and `onProblem` receives `events_skipped`: fetch the conversation from your own storage, and render it again.
   */
  history?: 'snapshot' | 'log'
  environment?: Partial<ClientEnvironment>
  /**
   * Receives problems that the state does not show: malformed events and dropped messages; `events_skipped` when the
   * session was read from a snapshot, so that `onEvent` does not receive the events before it; and `not_found` once,
   * after the server has answered 404 eight times. Then the session does not exist yet, it belongs to another user, or
   * the server is not mounted at `url`. The client continues to retry, and reports `not_found` again only after it has
   * been connected.
   */
  onProblem?: (problem: { code: string; message: string }) => void
  /**
   * The time without a byte from the server after which the connection counts as dead: five heartbeats of the server.
   * @default 45,000
   */
  heartbeatTimeoutMs?: number
  /** The upper limit of the growing, random pause between attempts. @default 30,000 */
  maxRetryDelayMs?: number
  /** The time after which a message without a response counts as not sent. @default 20,000 */
  sendTimeoutMs?: number
  /**
   * The time after which a hidden page reduces its connection to short periodic checks. The default is 5 minutes. In a
   * page that was loaded over HTTP/1.1 it is 0 for `sse` and `longPoll`, because a browser allows six connections to an
   * origin, for all tabs together. If tabs share one stream, `sse` never does so by default.
   */
  slowAfterMs?: number
  /**
   * The transport of a page that has been hidden for `slowAfterMs`, instead of periodic checks: `longPoll({ url })`.
   */
  whenHidden?: Transport
}

/**
 * The result of an answer. Only `not_sent`, `invalid` and `shown_differs` require an action of the person. With
 * `shown_differs` the server has another question than the one on screen: it stays open, and the client reads it again.
 */
export type RespondResult =
  | { status: 'accepted'; replayed?: boolean }
  | { status: 'already_answered'; respondedBy?: Answerer; respondedAt?: string }
  | {
      status: 'expired' | 'cancelled' | 'superseded' | 'unknown' | 'forbidden' | 'not_interactive' | 'shown_differs'
      problem?: AnswerProblem
    }
  | { status: 'invalid'; problem: AnswerProblem }
  | { status: 'not_sent'; problem: AnswerProblem }

/**
 * How to continue connecting an account: at an address to open, or with a token for the widget of the account system.
 */
export type ConnectResult = { flowId: string; url: string } | { flowId: string; clientToken: string }

/**
 * The headless client of one session: it keeps the connection, applies the log and sends answers. It renders nothing.
 *
 * @example
 * const client = createHoldpointClient({ sessionId: 'task-42', transport: sse({ url: '/holdpoint' }) })
 * client.subscribe(() => console.log(client.getSnapshot().pendingIds))
 * await client.respond(id, { action: 'approve', approvalScope: 'session' })
 */
export interface HoldpointClient {
  readonly sessionId: string
  readonly clientId: string
  /** Registers a listener for state changes, optionally limited to topics. Returns an unsubscribe function. */
  subscribe(listener: () => void, topics?: Topic | readonly Topic[]): () => void
  /**
   * Registers a listener for every applied event, including AI SDK parts and unknown types. Returns an unsubscribe
   * function.
   */
  onEvent(listener: (event: HoldpointEvent, cursor: string) => void): () => void
  getSnapshot(): SessionState
  /** Returns the state for server rendering and for the first render in the browser. */
  getServerSnapshot(): SessionState
  /**
   * Sends an answer. Never throws because of a server or network error: read `status`. While an answer to the question is
   * being sent, no other one is: the same answer resolves with its result, another one as `already_answered` if it wins.
   */
  respond(interactionId: string, answer: Answer): Promise<RespondResult>
  /**
   * Answers several questions, each with its own answer id and shown digest. Returns their results in the given order:
   * `conflict` if the question has already ended, `refused` if the server did not accept the answer, and `unsent` if
   * the answer did not reach the server. An `unsent` answer is kept like that of `respond`.
   *
   * @example
   * const outcomes = await client.respondAll(
   *   ids.map((interactionId) => ({ interactionId, answer: { action: 'approve' } })),
   * )
   */
  respondAll(
    answers: readonly { interactionId: string; answer: Answer }[],
  ): Promise<
    { interactionId: string; outcome: 'accepted' | 'conflict' | 'refused' | 'unsent'; result: RespondResult }[]
  >
  /**
   * Sends a `not_sent` answer again, with the same answer id. The client also does so itself, after it has reconnected,
   * and at the latest every 25 seconds while it is connected.
   */
  retry(interactionId: string): Promise<RespondResult>
  /** Drops a `not_sent` answer: the client does not send it again, and the question can be answered differently. */
  discard(interactionId: string): void
  extend(interactionId: string): Promise<{ status: 'extended' | 'not_extendable' | 'failed' }>
  /** Starts connecting one account of a `connect` question. */
  connectAccount(interactionId: string, integration: string, options?: { returnTo?: string }): Promise<ConnectResult>
  /** Reports that an authorization may be complete. It is a hint: the server checks the account itself. */
  submitAuthResult(generationId: string, integration: string, success: boolean): Promise<void>
  setInteractionMode(enabled: boolean): void
  /** Keeps an action until the next `sendUserActions`, which sends it. */
  bufferAction(action: UserAction): void
  /** Returns and removes the buffered actions, for hosts that send them with a request of their own. */
  takeActions(): UserAction[]
  /**
   * Sends the buffered actions and then the given ones. Rejects with the code of the server if they were not accepted.
   */
  sendUserActions(actions?: readonly UserAction[]): Promise<void>
  cancelRun(runId: string): Promise<void>
  /**
   * Uploads a file for a `file` field. Resolves with the handle, which is the field's value. `keeps` are the handles that
   * the field still has: when the question has its limit of files, those that the person removed make room.
   */
  upload(
    interactionId: string,
    fieldId: string,
    file: Blob & { name?: string },
    keeps?: readonly string[],
  ): Promise<{ handle: string; name: string; size: number; type: string }>
  /**
   * Connects, also after `close`, and stays connected until `close()` is called. Without this call the client connects
   * with its first subscriber, and disconnects a second after the last one has left.
   */
  connect(): void
  /**
   * Reconnects at once instead of after the pause: with new credentials, or for a "Try now" button. It also tries while
   * the browser reports that it is offline. It has no effect while the client is connected, is already trying, or has
   * no subscribers.
   */
  reconnect(): void
  /** Ends the connection and all timers. The state stays readable; answers are refused with `client_closed`. */
  close(): void
}
