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

/** Your session library: returns the authenticated user. Null or undefined is answered with 401. */
export type Authenticate = (request: Request) => Promise<Principal | null | undefined> | Principal | null | undefined

/** Numbers of the HTTP side: memory, waits and limits. The defaults suit most apps. */
export interface HttpTuning extends HubTimes, SubscriberLimits, LiveLimits {
  /** Bytes of log kept in memory for readers that catch up, over all sessions. */
  cacheSize: number
  /** Time in which a body must have arrived. */
  bodyTimeoutMs: number
  /** How long a browser's own EventSource waits before it reconnects. */
  retryMs: number
  /** Longest time that a poll is held. */
  maxWaitMs: number
  /** Streams and polls that one user may have open in one process. */
  streamsPerUser: number
  /** Sessions that one shared event stream may carry. */
  sessionsPerStream: number
  /** Frames of one WebSocket that are handled at the same time. The server reads on when one is answered. */
  framesInFlight: number
  /** Requests of one user. */
  rateLimit: RateLimit
}

export interface HttpOptions {
  authenticate?: Authenticate | undefined
  /** Pages elsewhere that may use this server: `['https://app.example.com']`. Its own origin always may. */
  allowedOrigins?: readonly string[] | undefined
  /**
   * Host names that this server answers to, besides localhost and loopback addresses.
   *
   * @default 'any' if NODE_ENV is `production` or `test`, otherwise 'local'
   */
  allowedHosts?: readonly string[] | 'local' | 'any' | undefined
  /** Where this is mounted, if it shall insist on it: `/holdpoint`. Without it any mount point works. */
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
  rateLimit: { burst: 200, perSecond: 50 },
}
