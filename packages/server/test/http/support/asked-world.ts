import { request } from 'node:http'
import type { SessionSnapshot } from '@holdpoint/core/internal'

import { shownDigest } from '@holdpoint/core/wire'
import { createHoldpoint, type Holdpoint, type HoldpointOptions, type Route } from '@holdpoint/server'
import { toNodeHandler } from '@holdpoint/server/node'
import type { Store } from '../../../src/store/port.ts'
import { listen } from './servers.ts'

/** A question, and the value with which its tool continues. */
export interface Asked {
  interactionId: string
  callId: string
  shownDigest: string
  outcome: Promise<unknown>
}

/** The relevant parts of a response. */
export interface Seen {
  status: number
  code: string
  message: string
  retryAfter: string | null
  body: Record<string, unknown>
}

export interface SendOptions {
  session?: string
  user?: string | null
  path?: string
  headers?: Record<string, string>
}

export const ADA = { userId: 'ada', name: 'Ada' }
export const EVE = { userId: 'eve' }

/** Asks in a session of ada's, from a route of the host: what a tool is refused with, its request is answered with. */
const askRoute = (use: () => Holdpoint): Route => ({
  method: 'POST',
  path: '/ask/:call',
  async handle({ params }) {
    const context = use()
      .session('s1', ADA)
      .toolCall({ runId: 'run-1', toolCallId: params.call ?? '', toolName: 'tool' })
    const result = await context.tryApprove({ prompt: 'One more?' })
    return { kind: 'answer', status: 200, body: JSON.stringify(result), headers: {} }
  },
})

/** A real server on a real socket, with people who log in by an `x-user` header. */
export async function askedWorld(store: Store, options: HoldpointOptions = {}) {
  const holdpoint: Holdpoint = createHoldpoint({
    store,
    authenticate: (asking) => {
      const userId = asking.headers.get('x-user')
      return userId === null ? null : { userId }
    },
    ...options,
    http: { routes: [askRoute(() => holdpoint)], ...options.http },
  })
  const running = await listen(toNodeHandler(holdpoint))
  const { origin } = new URL(running.url)
  let calls = 0

  const world = {
    holdpoint,
    url: running.url,

    /** One request of a page of the server's own origin. */
    async fetch(path: string, init: RequestInit & { user?: string | null } = {}): Promise<Seen> {
      const { user = 'ada', ...rest } = init
      const headers = { accept: 'application/json', origin, ...(user && { 'x-user': user }), ...init.headers }
      return await seen(await fetch(path.startsWith('/') ? `${running.url}${path}` : path, { ...rest, headers }))
    },

    /** Sends a client message, or other content in its place. */
    send(
      message: object | string | Uint8Array,
      { session = 's1', user, path, headers }: SendOptions = {},
    ): Promise<Seen> {
      const body = typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message)
      return world.fetch(path ?? `/sessions/${session}/messages`, {
        method: 'POST',
        body: body as BodyInit,
        headers: { 'content-type': 'application/json', ...headers },
        ...(user !== undefined && { user }),
      })
    },

    /** Begins a body and never ends it. */
    sendSlowly: (text: string) =>
      new Promise<Seen>((resolve, reject) => {
        const headers = { origin, 'x-user': 'ada', 'content-type': 'application/json', 'content-length': '1000' }
        const slow = request(`${running.url}/sessions/s1/messages`, { method: 'POST', headers })
        slow.once('error', reject)
        slow.once('response', async (response) => {
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk)
          slow.destroy()
          const body = JSON.parse(Buffer.concat(chunks).toString())
          const retryAfter = response.headers['retry-after'] ?? null
          resolve({
            status: response.statusCode ?? 0,
            code: body.error.code,
            message: body.error.message,
            retryAfter,
            body,
          })
        })
        slow.write(text)
      }),

    snapshot: async (session = 's1', user = 'ada') =>
      (await world.fetch(`/sessions/${session}`, { user })).body as unknown as SessionSnapshot,

    /** A question of a new tool call, once it stands. */
    async asks(kind: 'approval' | 'form', session = 's1', owner: { userId: string } = ADA): Promise<Asked> {
      const callId = `call-${++calls}`
      const context = holdpoint
        .session(session, owner)
        .toolCall({ runId: 'run-1', toolCallId: callId, toolName: 'tool' })
      const outcome: Promise<unknown> =
        kind === 'approval'
          ? context.tryApprove({
              prompt: 'Delete 3 files?',
              scopes: ['once', 'session'],
              rememberAs: [session, callId],
            })
          : context.tryAsk({
              prompt: 'Where to?',
              fields: [{ id: 'email', type: 'email', label: 'E-mail', required: true }],
            })
      outcome.catch(() => {})
      for (;;) {
        const { interactions = [] } = await world.snapshot(session, owner.userId)
        const found = interactions.find(({ request: { toolCallId } }) => toolCallId === callId)
        if (found) {
          const { request } = found
          const digest = shownDigest(request as never)
          return { interactionId: String(request.interactionId), callId, shownDigest: digest, outcome }
        }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },

    async stop() {
      await running.stop()
      await holdpoint.close()
    },
  }
  return world
}
export type AskedWorld = Awaited<ReturnType<typeof askedWorld>>

/** A proper answer; the same each time it is made. */
export const yes = ({ interactionId, callId, shownDigest }: Asked) => ({
  type: 'tool_interaction_response',
  clientId: 'tab-1',
  interactionId,
  callId,
  shownDigest,
  answerId: `answer-to-${interactionId}`,
  action: 'approve',
})
export const filledIn = (asked: Asked, input: object = { email: 'ada@example.com' }) => ({
  ...yes(asked),
  action: 'submit',
  input,
})

/** Reads an answer. */
export async function seen(response: Response): Promise<Seen> {
  const text = await response.text()
  const body = text === '' ? {} : JSON.parse(text)
  const { code = body.reset ? `reset ${body.reset}` : '', message = '' } = body.error ?? {}
  return { status: response.status, code, message, retryAfter: response.headers.get('retry-after'), body }
}
