import { createSseReader } from '../wire/streams/sse-reader.ts'
import { guarded } from './guarded.ts'
import { eventsPath, type HttpOptions, headOf, httpFetch, networkFailure, statusFailure } from './http.ts'
import { httpCalls } from './http-calls.ts'
import type { Transport, TransportContext, TransportListener } from './types.ts'

/**
 * Server-sent events down, POST up: the default. It reads with `fetch` rather than `EventSource`, so that headers can
 * be sent and a refusal's status can be seen.
 *
 * @example
 * sse({ url: '/holdpoint', headers: async () => ({ authorization: `Bearer ${await token()}` }) })
 */
export function sse(options: HttpOptions): Transport {
  return {
    name: 'sse',
    holdsRequest: true,
    ...httpCalls(options),
    connect(context, cursor, listener) {
      const abort = new AbortController()
      const guard = guarded(listener, () => abort.abort())
      void read(options, context, cursor, guard.listener, abort)
      return guard.connection
    },
  }
}

async function read(
  options: HttpOptions,
  context: TransportContext,
  cursor: string | null,
  listener: TransportListener,
  { signal }: AbortController,
): Promise<void> {
  // Only the network may fail in here: an error of whoever listens must not look like one.
  const heard = <T>(promise: Promise<T>) => promise.catch((error) => void listener.down(networkFailure(error)))
  const response = await heard(
    httpFetch(options, context, eventsPath(context, cursor), { accept: 'text/event-stream', signal }),
  )
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
    const chunk = await heard(reader.read())
    if (!chunk) return
    if (chunk.done) return listener.down({ code: 'ended', message: 'The server ended the stream.' })
    feed(chunk.value)
  }
}
