import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { createRemoteAgent, createRemoteSessions } from '@holdpoint/server/remote'
import { onTestFinished } from 'vitest'
import type { RemoteAgentOptions } from '../../../src/remote/agent/create-remote-agent.ts'
import type { RemoteSessionsOptions } from '../../../src/remote/backend/create-remote-sessions.ts'
import type { GuardedFetch } from '../../../src/security/outbound/guarded-fetch.ts'
import type { Part } from './agent-script.ts'

export const KEYS = [{ id: '1', key: new Uint8Array(32) }]
export const ORIGIN = 'https://app.example.com'
export const PASSWORD = 'a-password-of-the-agent'
const APP = 'https://app.example.com'
export const AGENT = 'https://agent.example.com'

/** Both ends in one process, joined by function calls in place of a network. */
export function local({
  agent: agentOptions = {},
  sessions: sessionsOptions = {},
  holdpoint: holdpointOptions = {},
}: {
  agent?: Partial<RemoteAgentOptions>
  sessions?: Partial<RemoteSessionsOptions>
  holdpoint?: HoldpointOptions
} = {}) {
  const time = { offset: 0 }
  const now = () => Date.now() + time.offset
  const sent: { url: string; headers: Record<string, string>; body: string }[] = []
  const agentStore = memoryStore({ now })
  const toBackend: GuardedFetch = async (url, { method = 'GET', headers = {}, body } = {}) => {
    sent.push({ url: `${url}`, headers, body: `${body}` })
    return await sessions.webhook(new Request(url, { method, headers, body: `${body}` }))
  }
  const agent = createRemoteAgent({
    ...{ store: agentStore, password: PASSWORD, vaultKeys: KEYS, allowedOrigins: [ORIGIN], fetch: toBackend, now },
    run: async function* ({ prompt }): AsyncGenerator<Part> {
      yield { type: 'text-start', id: 't' }
      yield { type: 'text-delta', id: 't', text: `re: ${prompt}` }
      yield { type: 'text-end', id: 't' }
      yield { type: 'finish' }
    },
    ...agentOptions,
  })
  const holdpoint = createHoldpoint({
    store: memoryStore({ now }),
    authenticate: (request) => {
      const userId = request.headers.get('x-user')
      const tenant = request.headers.get('x-tenant')
      return userId ? { userId, ...(tenant && { tenant }) } : null
    },
    ...holdpointOptions,
  })
  onTestFinished(async () => {
    agent.close()
    await holdpoint.close()
  })
  const toAgent: GuardedFetch = (url, { method = 'GET', headers = {}, body } = {}) =>
    agent.fetch(new Request(url, { method, headers, body: `${body}` }))
  const sessions = createRemoteSessions(holdpoint, {
    vaultKeys: KEYS,
    webhookUrl: `${APP}/api/agent/webhook`,
    agentOf: () => ({ url: AGENT, password: PASSWORD }),
    fetch: toAgent,
    now,
    ...sessionsOptions,
  })

  const start = async (body: unknown = {}, headers: Record<string, string | null> = {}) => {
    const all = {
      'content-type': 'application/json',
      origin: ORIGIN,
      host: 'app.example.com',
      'x-user': 'ada',
      ...headers,
    }
    const response = await sessions.start(
      new Request(`${APP}/api/agent`, {
        method: 'POST',
        headers: Object.fromEntries(
          Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
        ),
        body:
          typeof body === 'string'
            ? body
            : JSON.stringify({ sessionId: 'task-42', message: 'hello', ...(body as object) }),
      }),
    )
    return { status: response.status, body: (await response.json()) as Said }
  }
  const call = async (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    await agent.fetch(
      new Request(`${AGENT}${path}`, { ...init, headers: { 'content-type': 'application/json', ...init.headers } }),
    )
  /** A session straight at the agent. */
  const opened = async (sessionId = 's1') => {
    const response = await call('/session', {
      method: 'POST',
      headers: { authorization: `Bearer ${PASSWORD}` },
      body: JSON.stringify({ sessionId, webhookUrl: `${APP}/api/agent/webhook?token=x`, webhookSecret: SECRET }),
    })
    return ((await response.json()) as { token: string }).token
  }
  const stream = (
    sessionId: string,
    token: string,
    body: unknown = { prompt: 'hi' },
    headers: Record<string, string> = {},
  ) =>
    call(`/stream/${sessionId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { agent, agentStore, holdpoint, sessions, start, call, opened, stream, sent, time, now }
}

export const SECRET = `whsec_${btoa('a secret of thirty-two bytes, yes')}`

export interface Said {
  success?: boolean
  streamToken: string
  streamUrl: string
  sessionId?: string
  error: { code: string; message: string; reason?: string; path?: string }
}

export async function refusalOf(response: Response | Promise<Response>) {
  const answered = await response
  const { error } = (await answered.json()) as Said
  return { status: answered.status, code: error.code }
}
