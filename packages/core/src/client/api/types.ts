import type { Answer, Answerer, AnswerProblem, LogEntry, SessionState, Topic } from '../../machine/state/types.ts'
import type { HoldpointEvent } from '../../protocol/events.ts'
import type { SessionSnapshot } from '../../protocol/index.ts'
import type { UserAction } from '../../protocol/messages.ts'
import type { Environment, Transport } from '../../transport/types.ts'

/** What happened to the page that matters to the connection: it lost the network, went out of sight, came back. */
export type SurroundingsEvent = 'online' | 'offline' | 'visible' | 'hidden' | 'thawed' | 'frozen'

/** What only some places have: a browser knows whether it is online and seen; Node and workers need not. */
export interface Surroundings {
  online(): boolean
  /** The page has few connections to share with the origin's other tabs: it was loaded over HTTP/1.1. */
  scarce?(): boolean
  /** Nobody looks at the page. */
  hidden(): boolean
  /** Calls back when either changed, or when the page goes to or comes from the back-forward cache. Returns the way out. */
  watch(changed: (event: SurroundingsEvent) => void): () => void
}

/** All that a client takes from the platform. Replace parts of it in tests, or where there is no browser. */
export type ClientEnvironment = Environment & { surroundings: Surroundings }

/** What `createHoldpointClient` needs: which session, and how to reach it. The rest has defaults. */
export interface HoldpointClientOptions {
  sessionId: string
  transport: Transport
  /** Stable for a tab or device; made up when omitted. */
  clientId?: string
  /** Whether this client can show questions at all; default true. */
  interactive?: boolean
  /**
   * Connect by itself; default true: with the first subscription, so that a client made while a server renders opens
   * nothing, and disconnect when the last one has left. With false, call `client.connect()` and `client.close()`.
   */
  autoConnect?: boolean
  /** A snapshot or recorded log to start from (server rendering, tests, stories). */
  initial?: { snapshot?: SessionSnapshot; events?: readonly LogEntry[] }
  /**
   * `snapshot` (default): start from where the session stands. `log`: read the log from its beginning, for hosts that
   * draw the whole conversation from `onEvent`; where it was trimmed, from a snapshot after all, and `onProblem` hears
   * `events_skipped`: fetch the conversation from where you keep it, and draw it anew.
   */
  history?: 'snapshot' | 'log'
  environment?: Partial<ClientEnvironment>
  /**
   * Told of what could not be shown otherwise: malformed events, dropped messages; `events_skipped` when the session
   * had to be read anew from a snapshot, so that `onEvent` never hears of what lies between; and once `not_found`, when
   * the server has answered 404 eight times: the session is not there yet, it is somebody else's, or the `url` is not
   * where the server is mounted. The client goes on trying, and says it again only after it has been connected.
   */
  onProblem?: (problem: { code: string; message: string }) => void
  /** Silence after which the connection counts as dead; default 45 s, five of the server's heartbeats. */
  heartbeatTimeoutMs?: number
  /** Cap of the growing, random pause between attempts; default 30 s. */
  maxRetryDelayMs?: number
  /** How long one message may take before it counts as not sent; default 20 s. */
  sendTimeoutMs?: number
  /**
   * Nobody has looked at the page for so long: the connection is held for short looks only; default 5 minutes. In a page
   * that was loaded over HTTP/1.1 default 0 for `sse` and `longPoll`, because a browser allows six connections to an
   * origin, for all tabs together. Default never for `sse` if tabs share one stream.
   */
  slowAfterMs?: number
  /** Used instead of short looks while nobody looks: `longPoll({ url })`. */
  whenHidden?: Transport
}

/**
 * What became of an answer. Only `not_sent`, `invalid` and `shown_differs` leave something for the person to do. Of the
 * last, the server has another question than the one on screen: it stays open, and the client reads it anew.
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

/** Where connecting an account goes on: at an address to open, or with a token for the account system's own widget. */
export type ConnectResult = { flowId: string; url: string } | { flowId: string; clientToken: string }

/**
 * The headless client of one session: it keeps the connection, applies the log and sends answers. It draws nothing.
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
  /** Every event as it is applied, AI SDK parts and unknown types included. */
  onEvent(listener: (event: HoldpointEvent, cursor: string) => void): () => void
  getSnapshot(): SessionState
  /** The state that server and first client render agree on. */
  getServerSnapshot(): SessionState
  /** Never throws for what a server or network may say; look at `status`. */
  respond(interactionId: string, answer: Answer): Promise<RespondResult>
  /**
   * Sends a `not_sent` answer again, with the same answer id. The client does so by itself when it has connected again,
   * and while it is connected within 25 seconds.
   */
  retry(interactionId: string): Promise<RespondResult>
  /** Puts aside a `not_sent` answer: it is not sent again by itself, and the question can be answered otherwise. */
  discard(interactionId: string): void
  extend(interactionId: string): Promise<{ status: 'extended' | 'not_extendable' | 'failed' }>
  /** Starts connecting one account of a `connect` question. */
  connectAccount(interactionId: string, integration: string, options?: { returnTo?: string }): Promise<ConnectResult>
  /** A hint that an authorization may be complete; the server looks for itself. */
  submitAuthResult(generationId: string, integration: string, success: boolean): Promise<void>
  setInteractionMode(enabled: boolean): void
  /** Keeps an action back until the next `sendUserActions`, which takes it along. */
  bufferAction(action: UserAction): void
  /** Takes what was buffered, for hosts that send it along with a request of their own. */
  takeActions(): UserAction[]
  /** Sends what was buffered and these, in that order; rejects with the server's code when they were not taken. */
  sendUserActions(actions?: readonly UserAction[]): Promise<void>
  cancelRun(runId: string): Promise<void>
  /** Uploads for a `file` field: resolves with the handle that the field's value must be. */
  upload(
    interactionId: string,
    fieldId: string,
    file: Blob & { name?: string },
  ): Promise<{ handle: string; name: string; size: number; type: string }>
  /**
   * Connects, also after `close`, and stays connected until `close()` is called. Without this call the client connects
   * with its first subscriber, and disconnects a second after the last one has left.
   */
  connect(): void
  /**
   * Tries at once instead of after the pause: after new credentials, or for a "Try now" button. It also tries while the
   * browser reports that it is offline. It changes nothing while the client is connected, tries already, or has no
   * subscribers.
   */
  reconnect(): void
  /** Ends the connection and all timers. Reading still works; answers are refused with `client_closed`. */
  close(): void
}
