import { HoldpointError, type HoldpointErrorCode, isHoldpointError } from '@holdpoint/core'
import { type ClientMessage, parseBody, schemas } from '@holdpoint/core/protocol'
import { assertUser } from '../base/assert-ids.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Principal } from '../base/principal.ts'
import type { Engine } from '../engine/api/engine.ts'
import { failed } from './failed.ts'
import { ByteBudget } from './guard/byte-budget.ts'
import {
  type GuardRules,
  hostAllowed,
  hostsByDefault,
  needsCors,
  originAllowed,
  type Provenance,
} from './guard/guard.ts'
import { RateLimiter } from './guard/rate-limit.ts'
import { Recheck } from './guard/recheck.ts'
import { UserSlots } from './guard/user-slots.ts'
import { Hub } from './hub/hub.ts'
import { ProductionWarnings } from './production-warnings.ts'
import { RefusalWarnings } from './refusal-warnings.ts'
import { contentTypeOf, type Incoming } from './requests/http-request.ts'
import { wholeBody } from './requests/read-body.ts'
import { noSuchSession, refuse } from './requests/refuse.ts'
import { userKey } from './requests/user-key.ts'
import { corsHeaders, preflight } from './responses/cors.ts'
import { type EventStream, type HttpResponse, type Outgoing, responseOfReply } from './responses/http-response.ts'
import { streamHeaders } from './routes/events.ts'
import { routes } from './routes/index.ts'
import { type Match, matchRoutes, splitPattern } from './routing/match-route.ts'
import { deliverMessage } from './routing/messages.ts'
import { defaultTuning, type HttpOptions, type HttpTuning } from './routing/options.ts'
import type { Route, RouteContext } from './routing/route.ts'
import { Streams } from './streams/stream-registry.ts'
import { WaitingStreams } from './streams/waiting-streams.ts'

/** The number of files of maximum size that one user may upload at the same time. */
const UPLOADS_AT_ONCE = 4
/** The number of pages of settled questions that may wait for each slot of a user. */
const HISTORY_WAITING = 8

const NO_AUTHENTICATE =
  'This server was created without `authenticate`, so it cannot identify users. Pass your session library to createHoldpoint(), or devUser() on your own machine.'

type Line = Route & { pattern: readonly string[] }

/** The HTTP side of one Holdpoint: checks and routes the requests of all channels, and owns the open streams. */
export class HttpApp {
  readonly engine: Engine
  readonly hub: Hub
  readonly streams: Streams
  readonly #waiting: WaitingStreams
  readonly tuning: HttpTuning
  readonly clock: Clock
  readonly rules: GuardRules
  readonly #options: HttpOptions
  #routes: readonly Line[]
  readonly #warnings: ProductionWarnings
  readonly #refusals: RefusalWarnings
  readonly #limiter: RateLimiter
  readonly #uploads: ByteBudget
  readonly #reads: UserSlots
  readonly #history: UserSlots
  readonly #stopListening: () => void

  constructor(engine: Engine, options: HttpOptions) {
    const onProblem = (error: unknown) => options.logger?.error('A stream had a problem.', { error })
    this.engine = engine
    this.#options = options
    this.clock = options.clock ?? systemClock()
    this.tuning = { ...defaultTuning, ...options.http }
    this.hub = new Hub({ ...this.tuning, store: engine.store, node: engine.node, clock: this.clock, onProblem })
    this.#waiting = new WaitingStreams({ ...this.tuning, store: engine.store, clock: this.clock, onProblem })
    this.streams = new Streams(engine, this.hub, this.#waiting, this.tuning.streamsPerUser, onProblem)
    this.rules = {
      allowedOrigins: options.allowedOrigins ?? [],
      allowedHosts: options.allowedHosts ?? hostsByDefault(),
    }
    this.#routes = linesOf([...routes, ...(options.routes ?? [])])
    this.#warnings = new ProductionWarnings(options)
    this.#refusals = new RefusalWarnings(options.logger, () => this.clock.elapsed())
    this.#uploads = new ByteBudget(UPLOADS_AT_ONCE * engine.limits.uploadBytes)
    const { historyPagesPerUser } = this.tuning
    this.#reads = new UserSlots(this.tuning.readsPerUser, this.tuning.rateLimit.burst)
    this.#history = new UserSlots(historyPagesPerUser, historyPagesPerUser * HISTORY_WAITING)
    this.#limiter = new RateLimiter(this.tuning.rateLimit, this.clock)
    this.#stopListening = engine.onRevoke((who) => {
      this.hub.revoke(who)
      this.#waiting.revoke(who)
    })
  }

  /** Adds routes below the mount point. A route with the same method and path as an earlier addition replaces it. */
  addRoutes(added: readonly Route[]): void {
    const same = (one: Route, other: Route) => one.method === other.method && one.path === other.path
    const kept = this.#routes.filter((line) => !added.some((route) => same(route, line)))
    this.#routes = [...kept, ...linesOf(added)]
  }

  /** Allows one more host name, because another part of the app (such as the broker) is reached under it. */
  addHost(name: string): void {
    this.rules.ownHost = name
  }

  /** Handles a request from the network, with all checks. Never rejects. */
  async handle(incoming: Incoming): Promise<Outgoing> {
    this.#warnings.once()
    const from = provenance(incoming)
    const cors = needsCors(from, this.rules) ? corsHeaders(from.origin ?? '') : undefined
    const outgoing = await this.#guarded(incoming, from, cors !== undefined).catch((error) => this.#failed(error))
    return cors ? { ...outgoing, headers: { ...outgoing.headers, ...cors } } : outgoing
  }

  /** Handles a request of a known principal: a frame of an open channel, or a call in the same process. */
  async handleAs(principal: Principal, incoming: Incoming, reauthenticate: () => Promise<boolean>): Promise<Outgoing> {
    try {
      const { route, params } = this.#route(incoming)
      const context = this.#context(incoming, params)
      if (route.public) return await route.handle(context)
      this.#limit(principal)
      return await route.handle({ ...context, principal, reauthenticate })
    } catch (error) {
      return this.#failed(error)
    }
  }

  /** Handles one client message of a known principal. */
  async messageAs(
    principal: Principal,
    sessionId: string,
    message: ClientMessage,
    recheck?: Recheck,
  ): Promise<HttpResponse> {
    return this.limited(principal) ?? (await this.deliver(principal, sessionId, message, recheck))
  }

  /** Returns the check that a long-lived channel makes before each message that decides something. */
  recheck(reauthenticate: () => Promise<boolean>): Recheck {
    return new Recheck(this.clock, reauthenticate)
  }

  /** Counts one request of this user. Returns the refusal if there were too many. */
  limited(principal: Principal): HttpResponse | undefined {
    try {
      this.#limit(principal)
      return undefined
    } catch (error) {
      return this.#failed(error)
    }
  }

  /**
   * Handles a message that `limited` has counted already. A message that decides something needs a login that is still
   * valid.
   */
  async deliver(
    principal: Principal,
    sessionId: string,
    message: ClientMessage,
    recheck?: Recheck,
  ): Promise<HttpResponse> {
    try {
      if (recheck && decides(message) && !(await recheck.isLoginValid())) {
        refuse('not_authenticated', 'The login that opened this connection has ended. Log in and connect again.')
      }
      return responseOfReply(await deliverMessage(this.engine, principal, sessionId, message))
    } catch (error) {
      return this.#failed(error)
    }
  }

  /** Opens the event stream of a session for a known principal. */
  async readAs(
    principal: Principal,
    { session: sessionId, client, cursor }: { session: string; client: string | null; cursor: string | null },
    reauthenticate: () => Promise<boolean>,
  ): Promise<EventStream | HttpResponse> {
    try {
      this.#limit(principal)
      if (!schemas.id.safeParse(sessionId).success) noSuchSession()
      const session = await this.streams.readable(principal, sessionId)
      this.streams.admit(principal)
      const clientIds = client === null ? [] : [client]
      const request = { principal, sessionId, session, cursor, clientIds, reauthenticate, keepsPresence: true }
      return { kind: 'stream', headers: streamHeaders, open: (sink) => this.streams.open({ ...request, sink }) }
    } catch (error) {
      return this.#failed(error)
    }
  }

  /** Converts a thrown error to an answer, and logs the error if clients must not see it. */
  refusalOf(error: unknown): HttpResponse {
    return this.#failed(error)
  }

  /** Throws `host_not_allowed` or `origin_not_allowed`. */
  checkProvenance(from: Provenance, withoutOrigin = false): void {
    if (!hostAllowed(from.host, this.rules)) {
      this.#refusals.host(from.host)
      refuse(
        'host_not_allowed',
        'This server does not answer under this Host. If it is yours, add it to security.allowedHosts.',
      )
    }
    if (originAllowed(from, this.rules, withoutOrigin)) return
    if (from.origin === null) {
      refuse(
        'origin_not_allowed',
        'A request that changes something needs an Origin header, as browsers send it, or an Authorization: Bearer header.',
      )
    }
    this.#refusals.origin(from.origin)
    refuse(
      'origin_not_allowed',
      'Pages of this origin may not use this server. If it is yours, add it to security.allowedOrigins; behind a proxy, pass the Host header on.',
    )
  }

  /** Returns the principal of a request. Throws `not_authenticated` if there is none. */
  async identify(request: Request): Promise<Principal> {
    const { authenticate } = this.#options
    if (!authenticate) {
      this.#refusals.setup(NO_AUTHENTICATE)
      refuse('not_authenticated', NO_AUTHENTICATE)
    }
    const principal = await this.#logSetup(() => authenticate(request))
    if (!principal) refuse('not_authenticated', 'No user is signed in, or the login has expired. Log in and try again.')
    assertUser('What authenticate() returned', principal)
    return principal
  }

  /** A user who is not signed in is `null`. An error is a fault of the setup, such as `devUser` without NODE_ENV. */
  async #logSetup<T>(authenticate: () => T | Promise<T>): Promise<T> {
    try {
      return await authenticate()
    } catch (error) {
      if (isHoldpointError(error, 'not_authenticated')) this.#refusals.setup(error.message)
      throw error
    }
  }

  /**
   * Returns a function that authenticates the opening request of a long-lived stream again, and checks that the user is
   * the same.
   */
  reauthenticate(principal: Principal, request: () => Request): () => Promise<boolean> {
    return async () => {
      const now = await this.#options.authenticate?.(request())
      return !!now && userKey(now) === userKey(principal)
    }
  }

  /** Returns the number of open and kept objects, for tests and health checks. */
  get load(): Hub['size'] & { waiting: number; rateBuckets: number; readers: number } {
    const readers = this.#reads.size + this.#history.size
    return { ...this.hub.size, waiting: this.#waiting.size, rateBuckets: this.#limiter.size, readers }
  }

  /** Ends every stream. Later requests are still answered, but later streams end at once. */
  close(): void {
    this.#stopListening()
    this.hub.close()
    this.#waiting.close()
  }

  async #guarded(incoming: Incoming, from: Provenance, cors: boolean): Promise<Outgoing> {
    if (cors && incoming.method === 'OPTIONS') return preflight(incoming)
    const { route, params } = this.#route(incoming, () => this.checkProvenance(from))
    this.checkProvenance(from, route.withoutOrigin)
    if (route.method === 'POST') checkContentType(incoming, route.contentType ?? 'application/json')
    const context = this.#context(incoming, params)
    if (route.public) return route.handle(context)
    // A foreign page can request this URL as an image or a script. It cannot read the answer, but the request would
    // count as presence.
    if (from.site === 'cross-site' && from.origin === null && !from.bearer) {
      refuse(
        'origin_not_allowed',
        'A page of another site may not load this. Use fetch with CORS from an origin in allowedOrigins.',
      )
    }
    const principal = await this.identify(incoming.toRequest())
    this.#limit(principal)
    return route.handle({
      ...context,
      principal,
      reauthenticate: this.reauthenticate(principal, () => incoming.toRequest()),
    })
  }

  #route(incoming: Incoming, beforeRefusing: () => void = () => {}): Match<Line> {
    const mount = this.#options.mountPath?.replace(/\/+$/, '')
    const path = mount === undefined ? incoming.path : below(mount, incoming.path)
    const matches = path === null ? [] : matchRoutes(this.#routes, path, mount !== undefined)
    const match = matches.find(({ route }) => route.method === incoming.method)
    if (match) return match
    beforeRefusing()
    if (path === null) {
      refuse(
        'mount_mismatch',
        'This request is not below the configured `mountPath`. Change the option, the mount, or the url of the client, so that all three agree.',
      )
    }
    if (matches.length > 0) {
      const allow = [...new Set(matches.map(({ route }) => route.method))].join(', ')
      refuse('method_not_allowed', `This path takes ${allow} and nothing else. Is the path right, or the method?`, {
        allow,
      })
    }
    refuse(
      'not_found',
      "Holdpoint has no route at this path. Routes such as /sessions/:id/events lie below the mount point: is the client's url the path where the handler is mounted, and does the mount take everything below it?",
    )
  }

  #context(incoming: Incoming, params: Record<string, string>): RouteContext {
    const { engine, streams, clock, tuning, rules } = this
    const uploads = this.#uploads
    const reads = this.#reads
    const history = this.#history
    const within = (maxBytes: number) => ({ maxBytes, timeoutMs: tuning.bodyTimeoutMs, clock })
    const body = (maxBytes: number) => incoming.readBody(within(maxBytes))
    return {
      engine,
      streams,
      clock,
      tuning,
      rules,
      uploads,
      reads,
      history,
      incoming,
      params,
      query: incoming.query,
      warn: (message, fields) => this.#options.logger?.warn?.(message, fields),
      body,
      chunks: (maxBytes) => incoming.bodyChunks?.(within(maxBytes)) ?? wholeBody(incoming, within(maxBytes)),
      async json() {
        const parsed = parseBody(await body(engine.limits.messageBytes), engine.limits)
        if (parsed.ok) return parsed.value
        const { code, message, ...details } = parsed.body.error
        throw new HoldpointError(code as HoldpointErrorCode, message, { details })
      },
    }
  }

  #limit(principal: Principal): void {
    const retryAfterMs = this.#limiter.take(userKey(principal))
    if (retryAfterMs > 0) refuse('rate_limited', 'Too many requests in a short time. Wait a little.', { retryAfterMs })
  }

  #failed(error: unknown): HttpResponse {
    return failed(error, this.clock, this.#options.logger)
  }
}

const linesOf = (all: readonly Route[]): Line[] => all.map((route) => ({ ...route, pattern: splitPattern(route.path) }))

/** Returns whether a message decides something. Messages about presence do not, and they are frequent. */
const decides = ({ type }: ClientMessage) => type !== 'hello' && type !== 'set_interaction_mode'

function provenance(incoming: Incoming): Provenance {
  return {
    method: incoming.method,
    host: incoming.header('host'),
    origin: incoming.header('origin'),
    site: incoming.header('sec-fetch-site'),
    bearer: /^bearer +\S/i.test(incoming.header('authorization') ?? ''),
  }
}

/**
 * Rejects other content types. A form on a foreign page can post `text/plain` without a preflight request, but not
 * `application/json` or `application/octet-stream`.
 */
function checkContentType(incoming: Incoming, expected: string | readonly string[]): void {
  const types = [expected].flat()
  if (types.includes(contentTypeOf(incoming))) return
  refuse(
    'unsupported_media_type',
    `The body must be ${types.join(' or ')}, and be declared as that: set the Content-Type header.`,
  )
}

/** Returns the path without the configured mount point, or null if the path is not below it. */
function below(mount: string, path: string): string | null {
  return path.startsWith(`${mount}/`) ? path.slice(mount.length) : null
}
