import type { ResetReason } from '../protocol/frames.ts'
import type { TransportConnection, TransportFailure } from '../transport/types.ts'
import type { PlacedEvent } from '../wire/events/frame.ts'
import type { StreamListener } from './open-stream.ts'

/** One session of a shared stream, and the clients that read it. */
export interface SharedSession {
  session: string
  cursor?: string
  clients: string[]
}

/** The callbacks for the reader of a shared stream. */
export interface SharedListener {
  open(): void
  events(session: string, events: readonly PlacedEvent[]): void
  reset(session: string, reason: ResetReason): void
  malformed(session: string, error: { code: string; message: string }): void
  /** One session ended, the stream did not. */
  ended(session: string): void
  alive(): void
  down(error: TransportFailure): void
}

/** Opens a stream with the credentials of the page. */
export type OpenShared = (sessions: readonly SharedSession[], listener: SharedListener) => TransportConnection

/** Reads one stream of several sessions: its `session` frames name the session of the frames that follow. */
export function bySession(listener: SharedListener): StreamListener {
  let session = ''
  return {
    ...listener,
    events: (events) => listener.events(session, events),
    reset: (reason) => listener.reset(session, reason),
    malformed: (error) => listener.malformed(session, error),
    named(name, data) {
      if (name === 'session') session = idIn(data) ?? session
      if (name === 'end') listener.ended(session)
    },
  }
}

/** The `id` of a frame. A frame that cannot be read has none. */
function idIn(data: string): string | undefined {
  try {
    const { id } = JSON.parse(data)
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}
