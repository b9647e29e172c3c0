import { PassThrough } from 'node:stream'
import {
  createHoldpointClient,
  type HoldpointClient,
  messagePort,
  type RespondResult,
  sse,
  type Transport,
} from '@holdpoint/core'
import type { InteractionRequestEvent } from '@holdpoint/core/internal'
import { stdioPort } from '@holdpoint/core/node'
import { shownDigest } from '@holdpoint/core/wire'
import type { Approved, Holdpoint, Refused } from '@holdpoint/server'
import { localTransport } from '@holdpoint/server'
import { attachStdio } from '@holdpoint/server/stdio'
import { expect } from 'vitest'
import { person } from '../../engine/support/world.ts'
import type { Args, Call } from './life.ts'

/** One person in front of a surface, who reads what it shows and presses what it offers. */
export interface Surface {
  /** The tool is called from the surface itself; default: by the agent's code. */
  begin?(call: Call): Promise<Approved<Args> | Refused | { outcome: 'approved'; args: Args }>
  /** The open question, other than `not`. Arguments and changes are those that the person reads. */
  shows(not: string): Promise<InteractionRequestEvent>
  /** Whether this surface offers such a press. */
  can(press: { edits: boolean; rejects: boolean; stale: boolean; scope: string }): boolean
  press(shown: InteractionRequestEvent, said: Said): Promise<string>
  /** An answer of another tab was accepted while this surface still shows the question. */
  answeredElsewhere?(): void | Promise<void>
  /** True if a rejected edit is not shown; the arguments always are. */
  readonly hidesDrafts?: boolean
  close(): void | Promise<void>
}

export interface Said {
  action: string
  approvalScope: string
  shownDigest?: string
  [field: string]: unknown
}

/** A kind of surface, prepared for one Holdpoint. */
export interface SurfaceKind {
  open(userId: string): Surface | Promise<Surface>
  /** False if a question with a diff is shown elsewhere. */
  readonly showsDiffs?: boolean
}

const all = () => true

export const diffOf = (text: string) => [
  { path: 'a', hunks: ['h1', 'h2'].map((id) => ({ id, oldStart: 1, newStart: 1, lines: [`+${text}`] })) },
]

/** A request with what a person reads in place of its own arguments and changes. */
export function asRead(
  { args: _args, diff: _diff, ...rest }: InteractionRequestEvent,
  read: { args: unknown; change: string | undefined },
): InteractionRequestEvent {
  const diff = read.change === undefined ? {} : { diff: diffOf(read.change) }
  return { ...rest, args: read.args, ...diff } as InteractionRequestEvent
}

/** Messages without a client. */
export function tab(holdpoint: Holdpoint, userId: string): Surface {
  const someone = person(holdpoint, userId, { userId })
  return {
    can: all,
    async shows(not) {
      for (;;) {
        const found = (await someone.next()) as unknown as InteractionRequestEvent
        if (found.interactionId !== not) return found
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    },
    async press(shown, said) {
      const { status, body } = await someone.answer(shown, { shownDigest: shownDigest(shown), ...said })
      return status === 200 ? 'accepted' : (body as { error: { code: string } }).error.code
    },
    close: () => {},
  }
}

export const bareMessages = (holdpoint: Holdpoint): SurfaceKind => ({ open: (userId) => tab(holdpoint, userId) })

/** Each stale press makes the client read again, and it pauses between attempts; no test waits for that. */
export const openClient = (sessionId: string, transport: Transport) =>
  createHoldpointClient({ sessionId, transport, maxRetryDelayMs: 1 })

type Press = (client: HoldpointClient, id: string, said: Said) => Promise<RespondResult>
const one: Press = (client, id, said) => client.respond(id, said as never)

function throughClient(sessionId: string, transport: Transport, answer = one): Surface {
  const client = openClient(sessionId, transport)
  client.connect()
  return {
    can: all,
    shows: (not) =>
      new Promise((resolve) => {
        const look = () => {
          const { pendingIds, interactions } = client.getSnapshot()
          const id = pendingIds.find((one) => one !== not && interactions.get(one)?.status === 'pending')
          const request = id === undefined ? undefined : interactions.get(id)?.request
          if (!request) return
          leave()
          resolve(request as InteractionRequestEvent)
        }
        const leave = client.subscribe(look)
        look()
      }),
    async press(shown, said) {
      const result = await answer(client, shown.interactionId, said)
      return result.status === 'invalid' ? result.problem.code : result.status
    },
    close: () => client.close(),
  }
}

/** The client in the process of the server. */
export const clientInProcess = (holdpoint: Holdpoint): SurfaceKind => ({
  open: (userId) => throughClient(userId, localTransport(holdpoint, { userId })),
})

/** The batch of an inbox: `respondAll`, with a question that is not open beside the one on screen. */
export const approveAll = (holdpoint: Holdpoint): SurfaceKind => ({
  open: (userId) =>
    throughClient(userId, localTransport(holdpoint, { userId }), async (client, interactionId, said) => {
      const answer = said as never
      const [mine, other] = await client.respondAll([
        { interactionId, answer },
        { interactionId: 'of-another-time', answer },
      ])
      expect(other?.outcome).toBe('refused')
      return mine!.result
    }),
})

/** A program at the other end of two pipes: lines of JSON, which the server reads as it does those of a child process. */
export const overStdio = (holdpoint: Holdpoint): SurfaceKind => ({
  open(userId) {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()]
    const detach = attachStdio({ input: toServer, output: toClient }, holdpoint, { principal: { userId } })
    const surface = throughClient(userId, messagePort(stdioPort({ input: toClient, output: toServer })))
    return {
      ...surface,
      async close() {
        await surface.close()
        detach()
      },
    }
  },
})

/** The client as a browser has it: server-sent events, and answers over HTTP. */
export const clientOverHttp = (holdpoint: Holdpoint): SurfaceKind => ({
  open(userId) {
    const headers = { authorization: `Bearer ${userId}` }
    const request: typeof fetch = (input, init) => holdpoint.fetch(new Request(input, init))
    return throughClient(userId, sse({ url: 'http://localhost', headers, fetch: request }))
  },
})
