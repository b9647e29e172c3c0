import type { Transport } from '@holdpoint/core'
import type { SendResult } from '@holdpoint/core/internal'

import { cursorAt } from '@holdpoint/core/wire'

/** One thing that a scripted peer sends. */
export type ScriptFrame =
  | { seq: number; event: Record<string, unknown> }
  | { reset: string }
  | { heartbeat: true }
  /** Text in place of a frame's JSON, for frames that no real server sends. */
  | { garbage: string }

/** The behavior of a peer on one connection. Queued scripts run in order; later connections stay silent. */
export interface ConnectionScript {
  /** Refuses with this status. */
  status?: number
  retryAfterSeconds?: number
  /** The frames to send; a function receives the cursor that the client resumes from. */
  frames?: readonly ScriptFrame[] | ((cursor: string | null) => readonly ScriptFrame[])
  /** Cuts the connection after this many bytes of the frames; -1 cuts it before any response. */
  cutAfter?: number
  /** Sends pieces of this many bytes. */
  chunk?: number
  /** After the frames: an orderly end, or silence (default). */
  ending?: 'end' | 'silence'
  /** Accepts the connection and stays silent. */
  hold?: boolean
}

/** A peer's response to one message: a result, or a broken connection. */
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

/** A real peer that follows a script and records what it receives. */
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

/** Properties of a driver's network and frames. */
export interface PeerTraits {
  /** Each request carries headers or a bearer. */
  credentials: boolean
  /** Each frame is parsed separately, so that garbage between valid frames is possible. */
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

/** A frame as WebSocket, NDJSON and MessagePort encode it. */
export function frameText(frame: ScriptFrame): string {
  if ('garbage' in frame) return frame.garbage
  if ('reset' in frame) return JSON.stringify({ reset: frame.reset })
  if ('heartbeat' in frame) return JSON.stringify({ heartbeat: 1 })
  return JSON.stringify({ cursor: cursorOf(frame), event: frame.event })
}

/** The next script of a queue, or the default after the last one. */
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

/** The responses of all peers to calls other than messages. */
export function routine(path: string): SendResult {
  if (path.endsWith('/connect')) return { status: 200, body: { flowId: 'f-1', url: 'https://example.com/go' } }
  if (path.startsWith('/inbox')) return { status: 200, body: { items: [] } }
  return { status: 200, body: emptySnapshot }
}
