import type { Clock } from '../../base/clock.ts'
import type { Principal } from '../../base/principal.ts'
import type { RateLimit } from '../guard/rate-limit.ts'
import type { HubTimes } from '../hub/hub.ts'
import type { LiveLimits } from '../hub/live-readers.ts'
import type { SubscriberLimits } from '../hub/subscriber.ts'
import type { Route } from './route.ts'

/** The logger of the HTTP server. It receives ids and errors, never questions or answers. */
export interface HttpLogger {
  error(message: string, fields: Record<string, unknown>): void
  warn?(message: string, fields: Record<string, unknown>): void
}

/** Returns the authenticated user, usually by calling your session library. Null or undefined leads to a 401. */
export type Authenticate = (request: Request) => Promise<Principal | null | undefined> | Principal | null | undefined

/** Memory sizes, waiting times and limits of the HTTP side. The defaults suit most apps. */
export interface HttpTuning extends HubTimes, SubscriberLimits, LiveLimits {
  /** Bytes of log kept in memory for readers that catch up, over all sessions. */
  cacheSize: number
  /** Milliseconds within which a body must arrive. */
  bodyTimeoutMs: number
  /** Milliseconds that a browser's EventSource waits before it reconnects. */
  retryMs: number
  /** Maximum milliseconds that a long poll is held. */
  maxWaitMs: number
  /**
   * The maximum number of streams and polls that one user may have open in one process. On a shared stream each client
   * of each session counts.
   */
  streamsPerUser: number
  /** The maximum number of sessions that one shared event stream may carry. */
  sessionsPerStream: number
  /**
   * The maximum number of frames of one WebSocket that are handled at the same time. At the limit, the server reads the
   * next frame when one is answered.
   */
  framesInFlight: number
  /**
   * The maximum number of snapshots, pages of open questions and lists of remembered approvals that are read for one
   * user at the same time. As many as `rateLimit.burst` wait, and the rest are refused.
   */
  readsPerUser: number
  /**
   * The maximum number of pages of settled questions that are read for one user at the same time, because each reads up
   * to 500 sessions. Eight wait for each of them, and the rest are refused.
   */
  historyPagesPerUser: number
  /** The rate limit for the requests of each user. */
  rateLimit: RateLimit
}

export interface HttpOptions {
  authenticate?: Authenticate | undefined
  /**
   * Other origins whose pages may use this server: `['https://app.example.com']`. The server's own origin is always
   * allowed.
   */
  allowedOrigins?: readonly string[] | undefined
  /**
   * Host names under which this server answers, besides localhost and loopback addresses.
   *
   * @default 'any' if NODE_ENV is `production` or `test`, otherwise 'local'
   */
  allowedHosts?: readonly string[] | 'local' | 'any' | undefined
  /** The only path below which requests are handled, such as `/holdpoint`. If it is not set, any mount point works. */
  mountPath?: string | undefined
  logger?: HttpLogger | undefined
  /** More routes below the mount point. */
  routes?: readonly Route[] | undefined
  /** Times and sizes; each has a default. */
  http?: Partial<HttpTuning> | undefined
  clock?: Clock | undefined
}

export const defaultTuning: HttpTuning = {
  heartbeatMs: 8_000,
  pollMs: 5_000,
  reauthorizeMs: 60_000,
  coalesceMs: 0,
  maxBuffered: 1024 * 1024,
  pieceSize: 256 * 1024,
  cacheSize: 32 * 1024 * 1024,
  bodyTimeoutMs: 10_000,
  retryMs: 1_000,
  maxWaitMs: 25_000,
  streamsPerUser: 1_000,
  sessionsPerStream: 100,
  framesInFlight: 16,
  readsPerUser: 4,
  historyPagesPerUser: 1,
  rateLimit: { burst: 200, perSecond: 50 },
}
