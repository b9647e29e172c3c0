import type { AccessOptions, EngineOptions } from './engine/api/options.ts'
import type { HttpTuning } from './http/routing/options.ts'
import type { Route } from './http/routing/route.ts'

/** Options of `createHoldpoint`. In development every option has a default except `authenticate`. */
export interface HoldpointOptions extends EngineOptions {
  /** Mount point, additional routes, and numbers of the HTTP side. */
  http?: HttpServerOptions
  /** Authorization, allowed origins, and the keys of stored secrets. */
  security?: SecurityOptions
}

/** Mount point, additional routes, and numbers of the HTTP side. */
export interface HttpServerOptions extends Partial<HttpTuning> {
  /**
   * The only path below which requests are answered: `/holdpoint`. A route is then exactly `/holdpoint/inbox`; without
   * it, a route answers below every path, and a rule of your proxy for one path can be walked around by another one.
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
   * Pages of other origins that may use this server: `['https://app.example.com']`. The server's own origin always may.
   *
   * @default none
   */
  allowedOrigins?: readonly string[]
  /**
   * Host names that this server answers to, besides localhost and loopback addresses. Set it everywhere: it stops DNS
   * rebinding. `local` stands for localhost and IP addresses, `any` for every name.
   *
   * @default 'any' if NODE_ENV is `production` or `test`, otherwise 'local'
   */
  allowedHosts?: readonly string[] | 'local' | 'any'
}
