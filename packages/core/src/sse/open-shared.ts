import { isObject } from '../json/guards.ts'
import { readJson } from '../json/read-json.ts'
import type { ResetReason } from '../protocol/frames.ts'
import { guarded } from '../transport/guarded.ts'
import { type HttpOptions, httpFetch } from '../transport/http.ts'
import type { TransportConnection, TransportContext, TransportFailure } from '../transport/types.ts'
import type { PlacedEvent } from '../wire/events/frame.ts'
import { readStream } from './read-stream.ts'

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

/** Opens one stream for several sessions. `headersNow` rejects if this page may no longer read for the others. */
export function openShared(
  options: HttpOptions,
  context: TransportContext,
  sessions: readonly SharedSession[],
  headersNow: () => Promise<Headers>,
  listener: SharedListener,
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
    const parsed = readJson(data)
    const { id } = parsed.ok && isObject(parsed.value) ? parsed.value : {}
    if (name === 'session' && typeof id === 'string') session = id
    if (name === 'end') listener.ended(session)
  }
  const init = { method: 'POST', accept: 'text/event-stream', body: { sessions }, signal: abort.signal } as const
  const request = async () => httpFetch({ ...options, headers: await headersNow() }, context, '/sessions/events', init)
  void readStream(request(), context, { ...guard.listener, named })
  return guard.connection
}
