import type { Clock } from '../../base/clock.ts'

/** Limits for reading a body. A larger body is rejected with `too_large`, a slower one with `request_timeout`. */
export interface BodyLimits {
  maxBytes: number
  timeoutMs: number
  clock: Clock
}

/** A request in a form that every channel can provide. Routes read only this, never a framework's own object. */
export interface Incoming {
  readonly method: string
  /** The path as it was sent: percent-encoded, including the mount point. */
  readonly path: string
  readonly query: URLSearchParams
  header(name: string): string | null
  /** Returns a Request for the host's session library. It is created on demand, because most routes do not need it. */
  toRequest(): Request
  readBody(limits: BodyLimits): Promise<Uint8Array | string>
  /** Reads the body chunk by chunk. A channel whose bodies are always whole does not have this. */
  bodyChunks?(limits: BodyLimits): AsyncIterable<Uint8Array>
  /** Calls the listener when the client has disconnected. */
  onGone(listener: () => void): void
}

/** Returns the declared type of the body without its parameters, in lower case. */
export const contentTypeOf = (incoming: Pick<Incoming, 'header'>): string =>
  (incoming.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
