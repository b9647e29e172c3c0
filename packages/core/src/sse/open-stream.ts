import { guarded } from '../transport/guarded.ts'
import { type HttpInit, type HttpOptions, headOf, httpFetch, networkFailure, statusFailure } from '../transport/http.ts'
import type { TransportConnection, TransportContext, TransportListener } from '../transport/types.ts'
import type { FrameSink } from '../wire/events/frame.ts'
import { createSseReader } from '../wire/streams/sse-reader.ts'

export type StreamListener = FrameSink & Pick<TransportListener, 'open' | 'down'>

/** Opens one event stream and reads it until it ends or is closed. */
export function openStream(
  options: HttpOptions,
  context: TransportContext,
  path: string,
  listener: StreamListener,
  init?: HttpInit,
): TransportConnection {
  const abort = new AbortController()
  const guard = guarded(listener, () => abort.abort())
  const request = httpFetch(options, context, path, { ...init, accept: 'text/event-stream', signal: abort.signal })
  void readStream(request, context, guard.listener)
  return guard.connection
}

/** Reads the event stream with which a request is answered, to its end. */
async function readStream(
  request: Promise<Response>,
  context: TransportContext,
  listener: StreamListener,
): Promise<void> {
  // Only errors of the network are caught here. An error of a listener must not be treated as one.
  const orDown = <T>(promise: Promise<T>) => promise.catch((error) => void listener.down(networkFailure(error)))
  const response = await orDown(request)
  if (!response) return
  const { body, headers } = response
  const head = headOf(response, context)
  const { status } = head
  const type = headers.get('content-type')
  const readable = type?.startsWith('text/event-stream') && body
  if (status !== 200 || !readable) {
    body?.cancel().catch(() => {})
    return listener.down(
      status === 200
        ? { code: 'protocol', message: `Not an event stream but ${type}: is the server mounted at this url?` }
        : statusFailure(head),
    )
  }
  listener.open()
  const feed = createSseReader(listener)
  const reader = readable.getReader()
  for (;;) {
    const chunk = await orDown(reader.read())
    if (!chunk) return
    if (chunk.done) return listener.down({ code: 'ended', message: 'The server ended the stream.' })
    feed(chunk.value)
  }
}
