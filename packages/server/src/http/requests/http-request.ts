import type { Clock } from '../../base/clock.ts'

/** Limits for reading a body; more bytes or more time is rejected by name. */
export interface BodyLimits {
  maxBytes: number
  timeoutMs: number
  clock: Clock
}

/** A request as every channel can describe it; pure decisions look at this and never at a framework's object. */
export interface Incoming {
  readonly method: string
  /** As it was sent: percent-encoded, with whatever the mount point put in front. */
  readonly path: string
  readonly query: URLSearchParams
  header(name: string): string | null
  /** For the host's session library. Made when asked for: most of it is never looked at. */
  toRequest(): Request
  readBody(limits: BodyLimits): Promise<Uint8Array | string>
  /** Fires when the other side is gone. */
  onGone(listener: () => void): void
}
