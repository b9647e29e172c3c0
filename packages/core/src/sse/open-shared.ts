import type { ResetReason } from '../protocol/frames.ts'
import type { HttpOptions } from '../transport/http.ts'
import type { TransportConnection, TransportContext, TransportFailure } from '../transport/types.ts'
import type { PlacedEvent } from '../wire/events/frame.ts'
import type { FirstBundle } from './first-bundle.ts'

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

/** Opens one stream for several sessions. `headersNow` rejects if this page may no longer read for the others. */
export function openShared(
  options: HttpOptions,
  context: TransportContext,
  sessions: readonly SharedSession[],
  headersNow: () => Promise<Headers>,
  listener: SharedListener,
  { guarded, httpFetch, readStream }: FirstBundle,
): TransportConnection {
  const abort = new AbortController()
  let session = ''
  const guard = guarded(
    {
      open: () => listener.open(),
      events: (events) => listener.events(session, events),
      reset: (reason) => listener.reset(session, reason),
      malformed: (error) => listener.malformed(session, error),
      alive: () => listener.alive(),
      down: (error) => listener.down(error),
    },
    () => abort.abort(),
  )
  const named = (name: string, data: string) => {
    if (guard.ended) return
    if (name === 'session') session = idIn(data) ?? session
    if (name === 'end') listener.ended(session)
  }
  const init = { method: 'POST', accept: 'text/event-stream', body: { sessions }, signal: abort.signal } as const
  const request = async () => httpFetch({ ...options, headers: await headersNow() }, context, '/sessions/events', init)
  void readStream(request(), context, { ...guard.listener, named })
  return guard.connection
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
