import { createSseReader } from '../wire/sse-reader.ts'
import { guarded } from './guarded.ts'
import { eventsPath, type HttpOptions, headOf, httpFetch, networkFailure, statusFailure } from './http.ts'
import { httpCalls } from './http-calls.ts'
import type { Transport, TransportContext, TransportFailure, TransportListener } from './types.ts'

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
    ...httpCalls(options),
    connect(context, cursor, listener) {
      const abort = new AbortController()
      const guard = guarded(listener, () => abort.abort())
      void read(options, context, cursor, guard.listener, abort.signal)
      return guard.connection
    },
  }
}

async function read(
  options: HttpOptions,
  context: TransportContext,
  cursor: string | null,
  listener: TransportListener,
  signal: AbortSignal,
): Promise<void> {
  // Only the network may fail in here: an error of whoever listens must not look like one.
  const heard = async <T>(promise: Promise<T>) => {
    try {
      return await promise
    } catch (error) {
      listener.down(networkFailure(error))
      return undefined
    }
  }
  const response = await heard(
    httpFetch(options, context, eventsPath(context, cursor), { accept: 'text/event-stream', signal }),
  )
  if (!response) return
  const { body } = response
  const fault = unusable(response, context)
  if (fault) {
    body?.cancel().catch(() => {})
    return listener.down(fault)
  }
  listener.open()
  const feed = createSseReader(listener)
  const reader = body!.getReader()
  for (;;) {
    const chunk = await heard(reader.read())
    if (!chunk) return
    if (chunk.done) return listener.down({ code: 'ended', message: 'The server ended the stream.' })
    feed(chunk.value)
  }
}

function unusable(response: Response, context: TransportContext): TransportFailure | undefined {
  if (response.status !== 200) return statusFailure(headOf(response, context))
  const type = response.headers.get('content-type')
  if (type?.startsWith('text/event-stream') && response.body) return undefined
  return { code: 'protocol', message: `Not an event stream but ${type}: is the server mounted at this url?` }
}
