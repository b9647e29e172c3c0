import type { Clock } from '../../base/clock.ts'
import type { Principal } from '../../base/principal.ts'
import type { Engine } from '../../engine/api/engine.ts'
import type { Outgoing } from '../answers/http-answer.ts'
import type { ByteBudget } from '../guard/byte-budget.ts'
import type { GuardRules } from '../guard/guard.ts'
import type { Incoming } from '../requests/http-request.ts'
import type { Streams } from '../streams/stream-registry.ts'
import type { HttpTuning } from './options.ts'

/** The context of a handler. */
export interface RouteContext {
  engine: Engine
  streams: Streams
  clock: Clock
  tuning: HttpTuning
  rules: GuardRules
  /** Bytes of uploads that are being read. */
  uploads: ByteBudget
  incoming: Incoming
  params: Record<string, string>
  query: URLSearchParams
  /** A line for the host's log. */
  warn(message: string, fields: Record<string, unknown>): void
  /** The body as it came, up to `maxBytes`; more is refused with `too_large`. */
  body(maxBytes: number): Promise<Uint8Array | string>
  /** The body as JSON: within the limits on bytes and nesting, without forbidden keys. Its shape is the handler's. */
  json(): Promise<unknown>
}

/** The context of a route for an authenticated user. */
export interface UserContext extends RouteContext {
  principal: Principal
  /** Asks again who this is, for what stays open: false when it is no longer the same person. */
  stillSame(): Promise<boolean>
}

interface Common {
  method: 'GET' | 'POST'
  /** Below the mount point; `:name` is a parameter. */
  path: string
  /** The body's type; default `application/json`. */
  contentType?: string
  /** A POST that may come without Origin and without bearer, because it proves itself in another way. */
  withoutOrigin?: boolean
}

/** One line of the routes table. A `public` route is called before authentication. */
export type Route =
  | (Common & { public?: false; handle(context: UserContext): Promise<Outgoing> })
  | (Common & { public: true; handle(context: RouteContext): Promise<Outgoing> })
