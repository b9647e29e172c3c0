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
  let response: Response
  try {
    response = await httpFetch(options, context, eventsPath(context, cursor), { accept: 'text/event-stream', signal })
  } catch (error) {
    return listener.down(networkFailure(error))
  }
  const fault = unusable(response, context)
  if (fault) {
    void response.body?.cancel().catch(() => {})
    return listener.down(fault)
  }
  listener.open()
  const feed = createSseReader(listener)
  const reader = response.body!.getReader()
  for (;;) {
    let chunk: Awaited<ReturnType<typeof reader.read>>
    // Only the network may fail here: an error of whoever listens must not look like one.
    try {
      chunk = await reader.read()
    } catch (error) {
      return listener.down(networkFailure(error))
    }
    if (chunk.done) return listener.down({ code: 'ended', message: 'The server ended the stream.' })
    feed(chunk.value)
  }
}

function unusable(response: Response, context: TransportContext): TransportFailure | undefined {
  if (response.status !== 200) return statusFailure(headOf(response, context))
  const type = response.headers.get('content-type')
  if (type?.startsWith('text/event-stream') && response.body) return undefined
  const message = `Expected text/event-stream and got ${type ?? 'nothing'}: is the server mounted at this url?`
  return { code: 'protocol', message }
}
