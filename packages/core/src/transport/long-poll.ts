import { decodePage, type Page } from '../wire/events/decode-page.ts'
import { guarded } from './guarded.ts'
import { eventsPath, type HttpOptions, httpCall, networkFailure, statusFailure } from './http.ts'
import { httpCalls } from './http-calls.ts'
import type { Transport, TransportContext, TransportListener } from './types.ts'

/** Settings of `longPoll`. */
export interface LongPollOptions extends HttpOptions {
  /** Seconds that the server may hold a request while there is nothing to say; default 25. */
  waitSeconds?: number
}

/**
 * Requests that the server holds until there is something to say. For networks that break streams, and for tabs in
 * the background.
 *
 * @example
 * longPoll({ url: '/holdpoint' })
 */
export function longPoll(options: LongPollOptions): Transport {
  return {
    name: 'long-poll',
    holdsRequest: true,
    ...httpCalls(options),
    connect(context, cursor, listener) {
      const abort = new AbortController()
      const guard = guarded(listener, () => abort.abort())
      void poll(options, context, cursor, guard.listener, abort.signal)
      return guard.connection
    },
  }
}

async function poll(
  options: LongPollOptions,
  context: TransportContext,
  start: string | null,
  listener: TransportListener,
  signal: AbortSignal,
): Promise<void> {
  let cursor = start
  // The first request does not wait: it shows whether there is a server at all.
  for (let wait = 0; !signal.aborted; wait = options.waitSeconds ?? 25) {
    const page = await fetchPage(
      options,
      context,
      eventsPath(context, cursor, { wait: String(wait) }),
      listener,
      signal,
    )
    if (!page) return
    if (wait === 0) listener.open()
    if ('reset' in page) return listener.reset(page.reset)
    for (const problem of page.problems) listener.malformed(problem)
    if (page.events.length > 0) listener.events(page.events)
    else listener.alive()
    cursor = page.cursor
  }
}

async function fetchPage(
  options: LongPollOptions,
  context: TransportContext,
  path: string,
  listener: TransportListener,
  signal: AbortSignal,
): Promise<Page | null> {
  try {
    const result = await httpCall(options, context, path, { signal })
    if (result.status !== 200) {
      listener.down(statusFailure(result))
      return null
    }
    const page = decodePage(result.body)
    if (page.ok) return page.value
    listener.down({ code: 'protocol', message: `${page.problem.message} Is the server mounted at this url?` })
  } catch (error) {
    listener.down(networkFailure(error))
  }
  return null
}
