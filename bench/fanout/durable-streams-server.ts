import { DurableStreamTestServer } from '@durable-streams/server'
import { type Measured, text } from './measured.ts'

/**
 * Durable Streams' server for Node, as its README starts it: streams are in memory, and readers use the protocol's SSE.
 * Its documentation calls it a development server; the one for production is a Caddy plugin, which is not on npm.
 *
 * With `dataDir` it would flush every append before any reader sees it, as Holdpoint does. That is not measured here:
 * each reader of each event then writes its last activity to LMDB, about 500 µs of processor time a delivery with 50
 * readers, so a round with 1,000 would take minutes.
 */
export async function durableStreamsServer({ missed = 0 } = {}): Promise<Measured> {
  const server = new DurableStreamTestServer({ port: 0 })
  const url = await server.start()
  await fetch(`${url}/s1`, { method: 'PUT', headers: { 'content-type': 'text/plain' } })
  const emit = (size: number) => server.store.append('/s1', Buffer.from(text(size)))
  for (let event = 0; event < missed; event++) await emit(200)
  return {
    port: Number(new URL(url).port),
    request: [`GET /s1?offset=${missed > 0 ? -1 : 'now'}&live=sse HTTP/1.1\r\nHost: localhost\r\n\r\n`],
    emit,
  }
}
