import type { InboxPage } from '@holdpoint/core/internal'
import { getResponse, HttpResponse, http } from 'msw'
import { approval, form } from '../testing/interactions.ts'
import { type Script, scriptedServer } from '../testing/scripted-server.ts'

/**
 * A server as HTTP has it, by handlers of msw, in this very page: no service worker is needed. `offline` makes every
 * message fail, as a network does.
 */
export function httpServer(script: Script): { fetch: typeof globalThis.fetch; offline: (gone: boolean) => void } {
  const server = scriptedServer(script)
  let gone = false
  const call = async (request: Request, path: string) => {
    const body = request.method === 'POST' ? await request.json() : undefined
    const method = request.method as 'GET' | 'POST'
    const answer = await server.call({ sessionId: 'session-1', clientId: 'this-tab', method, path, body })
    return HttpResponse.json(answer.body as object, { status: answer.status })
  }
  const handlers = [
    http.get('*/holdpoint/inbox', () => HttpResponse.json(inbox)),
    http.post('*/holdpoint/inbox/presence', () => HttpResponse.json({ status: 'accepted' })),
    http.get('*/holdpoint/sessions/:id/events', ({ request }) => {
      const cursor = request.headers.get('last-event-id') ?? new URL(request.url).searchParams.get('cursor')
      return new HttpResponse(stream(server, cursor), { headers: { 'content-type': 'text/event-stream' } })
    }),
    http.get('*/holdpoint/sessions/:id', ({ request }) => call(request, '/')),
    http.post('*/holdpoint/sessions/:id/:verb', ({ request, params }) =>
      gone ? HttpResponse.error() : call(request, `/${params.verb}`),
    ),
  ]
  return {
    fetch: async (input, init) => {
      const request = new Request(new URL(String(input), window.location.href), init)
      return (await getResponse(handlers, request)) ?? new Response(null, { status: 404 })
    },
    offline: (next) => {
      gone = next
    },
  }
}

const inbox: InboxPage = {
  items: [
    { sessionId: 'chat-1', interaction: { request: approval({ interactionId: 'a' }).request } },
    { sessionId: 'chat-2', interaction: { request: form({ interactionId: 'b' }).request } },
  ],
}

/** The log as server-sent events: the cursor is the event's id. */
function stream(server: ReturnType<typeof scriptedServer>, cursor: string | null): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let stop = () => {}
  return new ReadableStream({
    start(controller) {
      const nothing = () => {}
      stop = server.subscribe(
        { sessionId: 'session-1', clientId: 'this-tab', cursor },
        {
          open: nothing,
          reset: nothing,
          alive: nothing,
          end: nothing,
          events: (batch) => {
            for (const { cursor: id, event } of batch) {
              controller.enqueue(encoder.encode(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`))
            }
          },
        },
      )
    },
    cancel: () => stop(),
  })
}
