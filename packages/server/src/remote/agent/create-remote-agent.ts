import { HoldpointError } from '@holdpoint/core'
import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import { type Environment, systemEnvironment } from '../../base/environment.ts'
import type { Logger } from '../../base/logger.ts'
import { silentLogger } from '../../base/logger.ts'
import { isLocalHost } from '../../http/guard/guard.ts'
import { hashOf, sameText } from '../../security/hashes.ts'
import { guardUrl } from '../../security/outbound/guard-url.ts'
import { createGuardedFetch, type GuardedFetch } from '../../security/outbound/guarded-fetch.ts'
import { createVault, type VaultKey } from '../../security/vault.ts'
import type { Store } from '../../store/port.ts'
import { createWebhookSender, type DeadLetter } from '../../webhooks/send.ts'
import { assertLocalOnly } from '../shared/local-only.ts'
import { bearerOf, failed, json, jsonOf, refuse } from '../shared/respond.ts'
import { corsOf, preflight } from './cors.ts'
import { type RunAgent, Runs } from './runs.ts'
import { openSession, revokeTokens, type SessionDeps, sessionOfToken, webhookTarget } from './sessions.ts'
import { type Place, partStream, placeOf } from './stream.ts'

/** Options of `createRemoteAgent`. */
export interface RemoteAgentOptions {
  store: Store
  /** The password that the back end sends, of at least 16 characters. Omit it only with `localWithoutPassword`. */
  password?: string
  /** Encrypts the stored data of the back end's webhook. */
  vaultKeys: readonly VaultKey[]
  /** Origins whose pages may read streams: `['https://app.example.com']`. */
  allowedOrigins: readonly string[]
  /** Runs the agent for a prompt. Returns the parts of its stream, such as the AI SDK's `fullStream`. */
  run: RunAgent
  /**
   * Hosts that messages may be sent to.
   *
   * @default any host on the open internet
   */
  webhookHosts?: readonly string[]
  /**
   * Milliseconds for which a token opens the stream.
   *
   * @default 15 minutes
   */
  tokenLifetimeMs?: number
  /**
   * For development on your own machine: allows requests without a password and webhooks to loopback addresses.
   * `createRemoteAgent` throws unless NODE_ENV is `development`.
   */
  localWithoutPassword?: boolean
  /** Milliseconds between attempts to deliver a message. */
  delaysMs?: readonly number[]
  fetch?: GuardedFetch
  logger?: Logger
  environment?: Partial<Environment>
  now?: () => number
}

/** The server that runs the agent. */
export interface RemoteAgent {
  /** Handles `POST /session`, `POST` and `GET /stream/:id`, and `DELETE` of both, below any mount point. */
  fetch(request: Request): Promise<Response>
  /** Revokes all tokens of a session. An open stream ends with its run. */
  revoke(sessionId: string): Promise<void>
  /** Returns the messages that the back end did not accept. */
  deadLetters(after?: string): Promise<{ letters: DeadLetter[]; next?: string }>
  redeliver(id: string): Promise<boolean>
  discard(id: string): Promise<void>
  /** Delivers due messages. Call it after a restart, and from a cron job. Returns the number of delivered messages. */
  tick(): Promise<number>
  close(): void
}

const sessionBody = z.looseObject({
  sessionId: schemas.id,
  webhookUrl: z.string().max(8_192),
  webhookSecret: z.string().startsWith('whsec_').max(256),
})
const promptBody = z.union([
  z.looseObject({ prompt: z.string().min(1), promptId: schemas.id.optional(), cursor: z.undefined().optional() }),
  z.looseObject({ cursor: z.string().max(128), prompt: z.undefined().optional() }),
])
const MAX_BODY = 256 * 1024
/** A password must fit into a bearer token and be hard to guess. */
const PASSWORD = /^[\x21-\x7e]{16,}$/
const MINUTES_15 = 15 * 60_000

/**
 * Creates the server of a remote agent. A back end opens a session with the password and receives a token. The browser
 * reads the stream directly from this server with the token. Complete messages are sent to the back end's webhook.
 *
 * @example
 * const agent = createRemoteAgent({
 *   store,
 *   password: process.env.AGENT_PASSWORD!,
 *   vaultKeys: [{ id: '1', key: process.env.VAULT_KEY! }],
 *   allowedOrigins: ['https://app.example.com'],
 *   run: ({ prompt, signal }) => streamText({ model, prompt, abortSignal: signal }).fullStream,
 * })
 * serve({ fetch: agent.fetch, port: 15_552 })
 */
export function createRemoteAgent(options: RemoteAgentOptions): RemoteAgent {
  const { password, allowedOrigins, localWithoutPassword: local = false } = options
  if (local) assertLocalOnly('localWithoutPassword')
  else if (!PASSWORD.test(password ?? '')) throw weakPassword()
  const environment = { ...systemEnvironment(), ...options.environment }
  const logger = options.logger ?? silentLogger
  const vault = createVault(options.vaultKeys, environment.randomBytes)
  const { store } = options
  const deps: SessionDeps = { store, environment, vault, lifetimeMs: options.tokenLifetimeMs ?? MINUTES_15 }
  const urls = { ...(options.webhookHosts && { allowedHosts: options.webhookHosts }), allowLoopback: local }
  const sender = createWebhookSender({
    ...{ store, vaultKeys: options.vaultKeys, environment, logger },
    fetch: options.fetch ?? createGuardedFetch(urls),
    target: (sessionId) => webhookTarget(deps, sessionId),
    ...(options.delaysMs && { delaysMs: options.delaysMs }),
    ...(options.now && { now: options.now }),
  })
  const runs = new Runs({ ...deps, sender, logger, now: options.now ?? Date.now }, options.run)
  const hashed = password === undefined ? undefined : hashOf(password)

  async function checkPassword(request: Request): Promise<void> {
    // Browsers send an Origin. A page must not know the password.
    if (request.headers.has('origin'))
      refuse(403, 'origin_not_allowed', 'Only a back end may open sessions, never a page.')
    if (local && hashed === undefined) {
      const host = request.headers.get('host') ?? new URL(request.url).host
      if (isLocalHost(host)) return
      refuse(403, 'host_not_allowed', 'Without a password this agent answers on this machine only.')
    }
    const given = await hashOf(bearerOf(request) ?? '')
    // Hashes have equal length, so the time of the comparison reveals nothing about the password.
    if (hashed === undefined || !sameText(given, await hashed)) {
      refuse(401, 'wrong_password', 'The password of this agent is missing or wrong.')
    }
  }

  async function session(request: Request): Promise<Response> {
    await checkPassword(request)
    const parsed = sessionBody.safeParse(await jsonOf(request, MAX_BODY))
    if (!parsed.success) throw malformed(parsed.error)
    const { sessionId, webhookUrl, webhookSecret } = parsed.data
    if (!options.fetch) checkUrl(webhookUrl, urls)
    const { token, expiresInMs } = await openSession(deps, sessionId, { url: webhookUrl, secret: webhookSecret })
    // Messages that failed with an older webhook token can be delivered now.
    void sender.tick().catch(() => {})
    return json(200, { token, expiresInMs })
  }

  async function stream(request: Request, sessionId: string): Promise<Response> {
    const cors = corsOf(request, allowedOrigins)
    if (request.method === 'OPTIONS') return preflight(cors)
    try {
      const url = new URL(request.url)
      const open = await sessionOfToken(deps, sessionId, bearerOf(request) ?? url.searchParams.get('token'))
      if (!open)
        refuse(
          401,
          'stream_token_invalid',
          'The token does not open this stream, or no longer. Ask the back end for a new one.',
        )
      if (request.method === 'DELETE') return json(200, { cancelled: runs.cancel(sessionId) }, cors)
      const { log, release } = runs.log(sessionId)
      try {
        const place = await where()
        const isActive = () => runs.isActive(sessionId)
        return new Response(partStream({ log, place, isActive, release }), { headers: { ...cors, ...STREAM } })
      } catch (error) {
        release()
        throw error
      }

      async function where(): Promise<Place> {
        const cursor = request.headers.get('last-event-id') ?? url.searchParams.get('cursor')
        if (request.method === 'GET') return await placeOf(log, cursor ?? '')
        const parsed = promptBody.safeParse(await jsonOf(request, MAX_BODY))
        if (!parsed.success) throw malformed(parsed.error)
        const said = parsed.data
        if (said.prompt === undefined) return await placeOf(log, `${said.cursor}`)
        return await runs.start(sessionId, open as NonNullable<typeof open>, said.prompt, promptIdOf(said))
      }
    } catch (error) {
      // The error needs the CORS headers, because otherwise a page could not read the reason.
      const answer = failed(error, logger)
      for (const [name, value] of Object.entries(cors)) answer.headers.set(name, value)
      return answer
    }
  }

  return {
    async fetch(request) {
      try {
        const { pathname } = new URL(request.url)
        const [, id] = /\/stream\/([^/]+)\/?$/.exec(pathname) ?? []
        if (id !== undefined && ['GET', 'POST', 'DELETE', 'OPTIONS'].includes(request.method)) {
          return await stream(request, decoded(id))
        }
        if (/\/session\/?$/.test(pathname) && request.method === 'POST') return await session(request)
        const [, ended] = /\/session\/([^/]+)\/?$/.exec(pathname) ?? []
        if (ended !== undefined && request.method === 'DELETE') {
          await checkPassword(request)
          await revokeTokens(deps, decoded(ended))
          return json(200, { revoked: true })
        }
        return json(404, { error: { code: 'not_found', message: 'There is no such route of this agent.' } })
      } catch (error) {
        return failed(error, logger)
      }
    },
    revoke: (sessionId) => revokeTokens(deps, sessionId),
    deadLetters: (after) => sender.deadLetters(after),
    redeliver: (letter) => sender.redeliver(letter),
    discard: (letter) => sender.discard(letter),
    tick: () => sender.tick(),
    close: () => sender.close(),
  }
}

const STREAM = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const promptIdOf = (said: { promptId?: unknown }) => (typeof said.promptId === 'string' ? said.promptId : undefined)

function decoded(part: string): string {
  try {
    return schemas.id.parse(decodeURIComponent(part))
  } catch {
    return refuse(400, 'invalid_message', 'The session id in the path cannot be read.')
  }
}

/**
 * Checks an address of a back end, which is untrusted and must not lead into the own network. Names are resolved and
 * checked when the address is called.
 */
function checkUrl(url: string, rules: Parameters<typeof guardUrl>[1]): void {
  try {
    guardUrl(url, rules)
  } catch {
    refuse(400, 'webhook_url_not_allowed', 'webhookUrl must be https, at a host that this agent may call.')
  }
}

function malformed(error: z.ZodError): HoldpointError {
  const path = error.issues[0]?.path.join('.') ?? ''
  return new HoldpointError('invalid_message', `The request is malformed at ${path || 'its root'}.`, {
    details: { httpStatus: 400, path },
  })
}

function weakPassword(): HoldpointError {
  return new HoldpointError(
    'weak_secret',
    'A remote agent needs a password of at least 16 printable characters without blanks, because its holder can run the agent. Create one with `openssl rand -base64 24`.',
  )
}
