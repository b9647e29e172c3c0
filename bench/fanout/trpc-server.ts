import { EventEmitter, on } from 'node:events'
import { createServer } from 'node:http'
import { initTRPC } from '@trpc/server'
import { createHTTPHandler } from '@trpc/server/adapters/standalone'
import { type Measured, portOf, text } from './measured.ts'

/** tRPC's subscription over SSE, as its documentation shows it. */
export async function trpcServer(): Promise<Measured> {
  const events = new EventEmitter().setMaxListeners(0)
  const t = initTRPC.create()
  const router = t.router({
    events: t.procedure.subscription(async function* ({ signal }) {
      yield 'hello'
      for await (const [said] of on(events, 'event', signal ? { signal } : {})) yield String(said)
    }),
  })
  return {
    port: await portOf(createServer(createHTTPHandler({ router }))),
    request: ['GET /events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n'],
    emit: (size) => events.emit('event', text(size)),
  }
}
