import { guarded } from '../transport/guarded.ts'
import { eventsPath, type HttpOptions, resolveHeaders } from '../transport/http.ts'
import { httpCalls } from '../transport/http-calls.ts'
import type { Environment, Transport } from '../transport/types.ts'
import { parseCursor } from '../wire/events/cursor.ts'
import { groupName } from './group-name.ts'
import type { Joining } from './join.ts'
import { openStream } from './open-stream.ts'

/**
 * Server-sent events down, POST up: the default. It reads with `fetch` rather than `EventSource`, so that headers can
 * be sent and a refusal's status can be seen. In a browser with Web Locks and BroadcastChannel, the tabs of one origin
 * that have the same `url`, `credentials` and `headers` share one stream.
 *
 * @example
 * sse({ url: '/holdpoint', headers: async () => ({ authorization: `Bearer ${await token()}` }) })
 */
export function sse(
  options: HttpOptions & {
    /**
     * Whether tabs share one stream. A string names the user, for tabs of one user whose `headers` differ, and for a
     * `fetch` that adds credentials. Tabs with different strings do not share.
     *
     * @default true, and false with a `fetch` of your own
     */
    share?: boolean | string
  },
): Transport {
  const tabsOf = ({ tabs }: Environment) => ((options.share ?? !options.fetch) ? tabs : undefined)
  return {
    name: 'sse',
    holdsRequest: true,
    sharesStream: (env) => !!tabsOf(env),
    ...httpCalls(options),
    connect(context, cursor, listener) {
      const stops: (() => void)[] = []
      const guard = guarded(listener, () => {
        for (const stop of stops) stop()
      })
      const tabs = tabsOf(context.env)
      const alone = (after = cursor) => {
        if (guard.ended) return
        stops.push(openStream(options, context, eventsPath(context, after), guard.listener).close)
      }
      if (tabs) {
        const joining: Joining = {
          ...{ context, cursor, listener: guard.listener, tabs, alone, parseCursor },
          headers: () => resolveHeaders(options),
          groupOf: (headers) => groupName(options, headers, options.share),
          open: (headers, ...stream) => openStream({ ...options, headers }, context, ...stream),
        }
        import('./join.ts')
          .then(async ({ join }) => {
            if (guard.ended) return
            const leave = await join(joining)
            stops.push(leave)
            if (guard.ended) leave()
          })
          // The script, the headers or the locks failed. A separate stream reports the cause.
          .catch(() => alone())
      } else alone()
      return guard.connection
    },
  }
}
