import type { AccessOptions, EngineOptions } from './engine/api/options.ts'
import type { HttpTuning } from './http/routing/options.ts'
import type { Route } from './http/routing/route.ts'

/** Options of `createHoldpoint`. In development every option has a default except `authenticate`. */
export interface HoldpointOptions extends EngineOptions {
  /** Mount point, additional routes, waiting times and limits of the HTTP side. */
  http?: HttpServerOptions
  /** Authorization, allowed origins, and the keys of stored secrets. */
  security?: SecurityOptions
}

/** Mount point, additional routes, waiting times and limits of the HTTP side. */
export interface HttpServerOptions extends Partial<HttpTuning> {
  /**
   * The path of the mount, such as `/holdpoint`. If it is set, only requests below it are handled, so the inbox is
   * exactly `/holdpoint/inbox`. If it is not set, a route matches below every path, and a request can bypass a proxy
   * rule for one path by using another one.
   *
   * @default any mount point
   */
  mountPath?: string
  /**
   * Additional routes below the mount point.
   *
   * @default none
   */
  routes?: readonly Route[]
}

/** Authorization, allowed origins, and the keys of stored secrets. */
export interface SecurityOptions extends AccessOptions {
  /**
   * Other origins whose pages may use this server: `['https://app.example.com']`. The server's own origin is always
   * allowed.
   *
   * @default none
   */
  allowedOrigins?: readonly string[]
  /**
   * Host names under which this server answers, besides localhost and loopback addresses. Set it in every deployment:
   * it stops DNS rebinding. `local` means localhost and IP addresses, `any` means every name.
   *
   * @default 'any' if NODE_ENV is `production` or `test`, otherwise 'local'
   */
  allowedHosts?: readonly string[] | 'local' | 'any'
}
