import type { SendResult, Transport } from '@holdpoint/core'
import { cursorAt } from '@holdpoint/core/wire'

/** One thing that a scripted peer sends. */
export type ScriptFrame =
  | { seq: number; event: Record<string, unknown> }
  | { reset: string }
  | { heartbeat: true }
  /** Text in the place of a frame's JSON, for what no honest server would send. */
  | { garbage: string }

/** What a peer does with one connection. A queue of these is played in order; after it, connections stay silent. */
export interface ConnectionScript {
  /** Refuses with this status. */
  status?: number
  retryAfterSeconds?: number
  /** What is sent; a function is asked with the cursor that the client resumes from. */
  frames?: readonly ScriptFrame[] | ((cursor: string | null) => readonly ScriptFrame[])
  /** Cuts the connection after so many bytes of what is sent; -1: before any answer. */
  cutAfter?: number
  /** Sends in pieces of so many bytes. */
  chunk?: number
  /** After the frames: an orderly end, or silence (default). */
  ending?: 'end' | 'silence'
  /** Accepts, and never says a word. */
  hold?: boolean
}

/** How a peer answers one message: a result, or nothing but a dead connection. */
export type MessageScript = SendResult | 'destroy' | 'hold'

export interface SeenConnection {
  sessionId: string
  clientId: string
  cursor: string | null
  bearer: string | null
  closed: boolean
}

export interface SeenCall {
  method: string
  path: string
  body: unknown
  bearer: string | null
}

/** A real other side, which does as it is told and remembers what it saw. */
export interface ScriptedPeer {
  readonly transport: Transport
  readonly connections: SeenConnection[]
  readonly calls: SeenCall[]
  play(...scripts: ConnectionScript[]): void
  answer(...results: MessageScript[]): void
  /** Bytes that a script sends, for drivers that move bytes. */
  bytesOf?(script: ConnectionScript): number
  stop(): Promise<void>
}

/** What a driver's network can do to it, and what its frames can express. */
export interface PeerTraits {
  /** Headers or a bearer travel with each request. */
  credentials: boolean
  /** Each frame is parsed by itself, so that garbage can stand between good ones. */
  framewise: boolean
  make(bearer: () => string): Promise<ScriptedPeer>
}

export const epoch = 'e1'
export const cursorOf = (frame: { seq: number; event: unknown }) =>
  cursorAt(epoch, { seq: frame.seq, json: JSON.stringify(frame.event) })

/** A log entry with characters of one to four bytes. */
export const entry = (seq: number, text = `grün 漢 🎈 ${seq}`) => ({ seq, event: { type: 'note', text } })

export const framesOf = ({ frames = [] }: ConnectionScript, cursor: string | null) =>
  typeof frames === 'function' ? frames(cursor) : frames

/** A frame as WebSocket, NDJSON and MessagePort say it. */
export function frameText(frame: ScriptFrame): string {
  if ('garbage' in frame) return frame.garbage
  if ('reset' in frame) return JSON.stringify({ reset: frame.reset })
  if ('heartbeat' in frame) return JSON.stringify({ heartbeat: 1 })
  return JSON.stringify({ cursor: cursorOf(frame), event: frame.event })
}

/** The next of a queue, with what to do when it has run out. */
export function queue<T>(last: T): { add(...items: T[]): void; next(): T } {
  const items: T[] = []
  return { add: (...more) => void items.push(...more), next: () => items.shift() ?? last }
}

export const accepted: SendResult = { status: 200, body: { status: 'accepted' } }

export const emptySnapshot = {
  cursor: cursorAt(epoch, null),
  serverTime: '2026-03-01T09:30:00.000Z',
  you: { userId: 'ada', can: ['read', 'respond'] },
  runs: [],
  interactions: [],
}

/** What the peers of every kind answer to calls other than messages. */
export function routine(path: string): SendResult {
  if (path.endsWith('/connect')) return { status: 200, body: { flowId: 'f-1', url: 'https://example.com/go' } }
  if (path.startsWith('/inbox')) return { status: 200, body: { items: [] } }
  return { status: 200, body: emptySnapshot }
}
