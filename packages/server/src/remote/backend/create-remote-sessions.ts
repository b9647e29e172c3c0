import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import type { Logger } from '../../base/logger.ts'
import { silentLogger } from '../../base/logger.ts'
import type { Principal } from '../../base/principal.ts'
import type { Holdpoint, UserRef } from '../../holdpoint.ts'
import { appOf } from '../../http/mounted.ts'
import { randomToken } from '../../security/hashes.ts'
import { createGuardedFetch, type GuardedFetch } from '../../security/outbound/guarded-fetch.ts'
import type { VaultKey } from '../../security/vault.ts'
import { createWebhookReceiver } from '../../webhooks/receive.ts'
import { assertLocalOnly } from '../shared/local-only.ts'
import { bearerOf, bytesOf, failed, json, jsonOf, refusal, refuse } from '../shared/respond.ts'
import { type AgentAddress, base, openRemote } from './open-remote.ts'
import { listRecords, type RemoteMessage, record, type ToolUse } from './records.ts'
import { remoteIdOf, sessionOfRemote } from './remote-id.ts'
import { takeMessage, type UnknownMessage } from './take-message.ts'

/** Options of `createRemoteSessions`. */
export interface RemoteSessionsOptions {
  /** Encrypts each session's webhook secret. */
  vaultKeys: readonly VaultKey[]
  /** The address at which agents call `webhook`: `https://app.example.com/api/agent/webhook`. */
  webhookUrl: string
  /**
   * Returns the agent of a session, from your own records. Return null if there is no such session, or if it belongs to
   * another user.
   */
  agentOf: (session: { sessionId: string; principal: Principal }) => AgentAddress | null | Promise<AgentAddress | null>
  /**
   * Hosts that agents may be at.
   *
   * @default any host on the open internet
   */
  agentHosts?: readonly string[]
  /**
   * For development on your own machine: uses this agent for all sessions, without a password. `createRemoteSessions`
   * throws unless NODE_ENV is `development` and the address is a loopback address.
   */
  localAgentUrl?: string | undefined
  fetch?: GuardedFetch
  logger?: Logger
  now?: () => number
}

type SessionRef = Pick<UserRef, 'tenant'> & { sessionId: string }

/** The back end's side, which opens sessions and stores the messages. The stream does not pass through it. */
export interface RemoteSessions {
  /** `POST { sessionId, message, artifacts? }` → `{ success, sessionId, streamToken, streamUrl }`. */
  start(request: Request): Promise<Response>
  /** `POST ?token=…`: receives the messages of the agent. */
  webhook(request: Request): Promise<Response>
  /** Returns the messages of a session, oldest first. */
  messages(session: SessionRef): Promise<RemoteMessage[]>
  toolUses(session: SessionRef): Promise<ToolUse[]>
  /** Returns the messages whose type this version does not know. */
  unknown(session: SessionRef): Promise<UnknownMessage[]>
  /** Creates a new secret for a session's webhook. The old one is accepted for ten more minutes. */
  rotate(session: SessionRef): Promise<void>
  /** Deletes expired ids of webhooks, and returns their number. Call it regularly. */
  sweep(): Promise<number>
}

const startBody = z.looseObject({
  sessionId: schemas.id.optional(),
  /** The id of the task at the agent. */
  taskId: schemas.id.optional(),
  message: z.string().min(1).max(200_000),
  artifacts: z.array(z.unknown()).max(100).optional(),
})
const MAX_BODY = 512 * 1024
const MAX_WEBHOOK = 256 * 1024

/**
 * Creates the back end of remote agents. Mount `start` where your pages post messages, and `webhook` where agents send
 * theirs.
 *
 * @example
 * const remote = createRemoteSessions(holdpoint, {
 *   vaultKeys,
 *   webhookUrl: 'https://app.example.com/api/agent/webhook',
 *   agentOf: async ({ sessionId, principal }) => await tasks.agent(sessionId, principal.userId),
 * })
 * export const POST = remote.start // app/api/agent/route.ts
 */
export function createRemoteSessions(holdpoint: Holdpoint, options: RemoteSessionsOptions): RemoteSessions {
  const { localAgentUrl: local } = options
  if (local !== undefined) assertLocalOnly('localAgentUrl', local)
  const app = appOf(holdpoint)
  const { engine } = app
  const { store, environment } = engine
  const logger = options.logger ?? silentLogger
  const fetch =
    options.fetch ??
    createGuardedFetch({
      ...(options.agentHosts && { allowedHosts: options.agentHosts }),
      ...(local !== undefined && { allowLoopback: true }),
      maxBytes: 64 * 1024,
    })
  const webhooks = createWebhookReceiver({
    ...{ store, vaultKeys: options.vaultKeys, url: options.webhookUrl, maxBytes: MAX_WEBHOOK, environment },
    ...(options.now && { now: options.now }),
  })
  const partitionOf = ({ tenant = '', sessionId }: SessionRef) => engine.partition({ tenant, sessionId })

  /** Makes the engine open the store, which it does with its first read. */
  const openStore = () => engine.access({ userId: '' }, '', 'read')
  const listed = async <T extends { at: number }>(session: SessionRef, kind: string) => {
    await openStore()
    return await listRecords<T>(store, partitionOf(session), kind)
  }

  /**
   * Rejects a principal who may not write to the agent of a session. Accepts a session that does not exist yet, because
   * its first message creates it.
   */
  async function assertMayWrite(principal: Principal, sessionId: string): Promise<void> {
    const { userId, tenant = '' } = principal
    if (await engine.access(principal, sessionId, 'respond')) return
    const owned = await engine.reads.session({ tenant, sessionId })
    if (owned && (await engine.access(principal, sessionId, 'read'))) {
      refuse(403, 'forbidden', 'You may read this session, but not write to its agent.')
    }
    if (owned && owned.userId !== userId) throw noSession()
  }

  async function keepMessage(
    principal: Principal,
    sessionId: string,
    text: string,
    artifacts: unknown[],
  ): Promise<void> {
    const { userId, tenant = '' } = principal
    const messageId = randomToken(environment.randomBytes, 16)
    const session = holdpoint.session(sessionId, { userId, tenant })
    // The first message creates the session, with this user as its owner.
    await session.emit({ type: 'user_message', text, messageId })
    const place = { partition: partitionOf({ tenant, sessionId }), kind: 'remote_message', id: messageId }
    await record<RemoteMessage>({ store, environment }, place, (before, at) => {
      const row = { id: messageId, role: 'user' as const, text, at, ...(artifacts.length > 0 && { artifacts }) }
      return before ? null : { row, events: [] }
    })
  }

  return {
    async start(request) {
      try {
        if (request.method !== 'POST') refuse(405, 'method_not_allowed', 'Post a message here.')
        checkProvenance(request)
        const principal = await app.identify(request)
        const parsed = startBody.safeParse(await jsonOf(request, MAX_BODY))
        const sessionId = parsed.data?.sessionId ?? parsed.data?.taskId
        if (!parsed.success || sessionId === undefined) {
          const path = parsed.error?.issues[0]?.path.join('.') ?? 'sessionId'
          refuse(400, 'invalid_message', `The request is malformed at ${path || 'its root'}.`, { path })
        }
        const { message, artifacts = [] } = parsed.data
        await assertMayWrite(principal, sessionId)
        const found = await options.agentOf({ sessionId, principal })
        if (!found) throw noSession()
        const agent = local === undefined ? found : { url: local }
        if (!agent.url) refuse(400, 'agent_not_configured', 'This session has no address of an agent.')
        if (local === undefined && !found.password) {
          refuse(400, 'agent_not_configured', 'This session has no password for its agent.')
        }
        const { tenant = '' } = principal
        const remoteId = remoteIdOf({ tenant, sessionId })
        const credentials = await webhooks.issue({ sessionId: remoteId })
        const streamToken = await openRemote({ fetch, logger }, agent, remoteId, credentials)
        await keepMessage(principal, sessionId, message, artifacts)
        const streamUrl = `${base(agent.url)}/stream/${encodeURIComponent(remoteId)}`
        return json(200, { success: true, sessionId, streamToken, streamUrl })
      } catch (error) {
        return failed(error, logger)
      }
    },

    async webhook(request) {
      try {
        if (request.method !== 'POST') refuse(405, 'method_not_allowed', 'Webhooks are posted.')
        await openStore()
        const token = new URL(request.url).searchParams.get('token') ?? bearerOf(request)
        const body = await bytesOf(request, MAX_WEBHOOK)
        const header = (name: string) => request.headers.get(name)
        const outcome = await webhooks.receive({ token, header, body }, async ({ id, session, payload }) => {
          const { tenant, sessionId } = sessionOfRemote(session.sessionId)
          const place = { store, environment, partition: partitionOf({ tenant, sessionId }), sessionId }
          // The session was erased while its agent was still working.
          if (!(await engine.reads.session({ tenant, sessionId })))
            refuse(404, 'webhook_unknown_session', 'There is no such session here.')
          const unknown = await takeMessage(place, id, payload, session.sessionId)
          if (unknown !== null) logger.warn('A webhook of an unknown type was kept.', { sessionId, type: unknown })
        })
        return json(200, { success: true, ...(outcome.status === 'duplicate' && { duplicate: true }) })
      } catch (error) {
        return failed(error, logger)
      }
    },

    messages: (session) => listed(session, 'remote_message'),
    toolUses: (session) => listed(session, 'remote_tool_use'),
    unknown: (session) => listed(session, 'remote_unknown'),
    rotate: async ({ tenant = '', sessionId }) => {
      await openStore()
      await webhooks.rotate({ sessionId: remoteIdOf({ tenant, sessionId }) })
    },
    sweep: () => openStore().then(() => webhooks.sweep()),
  }

  function checkProvenance(request: Request): void {
    const url = new URL(request.url)
    app.checkProvenance({
      method: request.method,
      host: request.headers.get('host') ?? url.host,
      origin: request.headers.get('origin'),
      site: request.headers.get('sec-fetch-site'),
      bearer: bearerOf(request) !== null,
    })
  }
}

const noSession = () => refusal(404, 'not_found', 'There is no such session, or it is not yours.')
