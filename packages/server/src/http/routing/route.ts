import type { Clock } from '../../base/clock.ts'
import type { Principal } from '../../base/principal.ts'
import type { Engine } from '../../engine/api/engine.ts'
import type { ByteBudget } from '../guard/byte-budget.ts'
import type { GuardRules } from '../guard/guard.ts'
import type { UserSlots } from '../guard/user-slots.ts'
import type { Incoming } from '../requests/http-request.ts'
import type { Outgoing } from '../responses/http-response.ts'
import type { Streams } from '../streams/stream-registry.ts'
import type { HttpTuning } from './options.ts'

/** The context of a handler. */
export interface RouteContext {
  engine: Engine
  streams: Streams
  clock: Clock
  tuning: HttpTuning
  rules: GuardRules
  /** The slots for snapshots, pages of open questions and lists of remembered approvals. */
  reads: UserSlots
  /** The slots for pages of settled questions. */
  history: UserSlots
  /** The budget for bytes of uploads that are being read. */
  uploads: ByteBudget
  incoming: Incoming
  params: Record<string, string>
  query: URLSearchParams
  /** Writes a warning to the host's log. */
  warn(message: string, fields: Record<string, unknown>): void
  /** Reads the body unchanged, up to `maxBytes`. A larger one is refused with `too_large`. */
  body(maxBytes: number): Promise<Uint8Array | string>
  /** Reads the body chunk by chunk, so that the handler decides what it keeps in memory. */
  chunks(maxBytes: number): AsyncIterable<Uint8Array>
  /**
   * Reads the body as JSON, within the limits on bytes and nesting and without forbidden keys. The handler checks its
   * shape.
   */
  json(): Promise<unknown>
}

/** The context of a route for an authenticated user. */
export interface UserContext extends RouteContext {
  principal: Principal
  /** Authenticates the request again, for long-lived streams. Returns false if the user is no longer the same. */
  reauthenticate(): Promise<boolean>
}

interface Common {
  method: 'GET' | 'HEAD' | 'POST'
  /** The path below the mount point; `:name` is a parameter. */
  path: string
  /** The body's type, or one of several; default `application/json`. */
  contentType?: string | readonly string[]
  /**
   * Allows a POST without an Origin and without a bearer token, because the handler authenticates it in another way.
   */
  withoutOrigin?: boolean
}

/** One line of the routes table. A `public` route is called before authentication. */
export type Route =
  | (Common & { public?: false; handle(context: UserContext): Promise<Outgoing> })
  | (Common & { public: true; handle(context: RouteContext): Promise<Outgoing> })
