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

/** Tells the back end where each session's agent is, and where that agent reports to. */
export interface RemoteSessionsOptions {
  /** Encrypts each session's webhook secret. */
  vaultKeys: readonly VaultKey[]
  /** Where the agents reach `webhook`: `https://app.example.com/api/agent/webhook`. */
  webhookUrl: string
  /** The agent of a session, from your own records; null when the session is none, or none of this user's. */
  agentOf: (session: { sessionId: string; principal: Principal }) => AgentAddress | null | Promise<AgentAddress | null>
  /** Hosts that agents may be at; any on the open internet unless given. */
  agentHosts?: readonly string[]
  /**
   * For a developer's machine: this agent instead of the session's own, without a password. Rejected at start unless
   * NODE_ENV is development and the address is this machine's.
   */
  localAgentUrl?: string | undefined
  fetch?: GuardedFetch
  logger?: Logger
  now?: () => number
}

type SessionRef = Pick<UserRef, 'tenant'> & { sessionId: string }

/** The back end's side: it opens sessions and stores the messages. The stream never passes through it. */
export interface RemoteSessions {
  /** `POST { sessionId, message, artifacts? }` → `{ success, sessionId, streamToken, streamUrl }`. */
  start(request: Request): Promise<Response>
  /** `POST ?token=…`: the agent's reports. */
  webhook(request: Request): Promise<Response>
  /** The messages, oldest first. */
  messages(session: SessionRef): Promise<RemoteMessage[]>
  toolUses(session: SessionRef): Promise<ToolUse[]>
  /** A message of a type that this version does not know. */
  unknown(session: SessionRef): Promise<UnknownMessage[]>
  /** A new secret for a session's webhook; the old one is good for ten minutes more. */
  rotate(session: SessionRef): Promise<void>
  /** Removes ids of webhooks that are old enough; call it now and then. */
  sweep(): Promise<number>
}

const startBody = z.looseObject({
  sessionId: schemas.id.optional(),
  /** The task's id at the agent. */
  taskId: schemas.id.optional(),
  message: z.string().min(1).max(200_000),
  artifacts: z.array(z.unknown()).max(100).optional(),
})
const MAX_BODY = 512 * 1024
const MAX_WEBHOOK = 256 * 1024

/**
 * Sessions on remote agents. Mount `start` where your pages post messages, and `webhook` where agents report.
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

  /** The engine opens the store when it is first asked something. */
  const ready = () => engine.access({ userId: '' }, '', 'read')
  const listed = async <T extends { at: number }>(session: SessionRef, kind: string) => {
    await ready()
    return await listRecords<T>(store, partitionOf(session), kind)
  }

  /** Whose it is; a session that is not there yet is made. */
  async function claim(principal: Principal, sessionId: string): Promise<void> {
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
    // Makes the session when this is its first message, in its owner's name.
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
        await claim(principal, sessionId)
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
        await ready()
        const token = new URL(request.url).searchParams.get('token') ?? bearerOf(request)
        const body = await bytesOf(request, MAX_WEBHOOK)
        const header = (name: string) => request.headers.get(name)
        const outcome = await webhooks.receive({ token, header, body }, async ({ id, session, payload }) => {
          const { tenant, sessionId } = sessionOfRemote(session.sessionId)
          const place = { store, environment, partition: partitionOf({ tenant, sessionId }), sessionId }
          // Erased, while its agent was still at work.
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
      await ready()
      await webhooks.rotate({ sessionId: remoteIdOf({ tenant, sessionId }) })
    },
    sweep: () => ready().then(() => webhooks.sweep()),
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
