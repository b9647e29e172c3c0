import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

/** Makes what answers a `Request` usable in Express and in `node:http`; answers are streamed. */
export function toListener(handle: (request: Request) => Promise<Response>) {
  return async (request: IncomingMessage & { originalUrl?: string }, response: ServerResponse): Promise<void> => {
    const { method = 'GET', headers } = request
    const url = new URL(request.originalUrl ?? request.url ?? '/', `http://${headers.host ?? 'localhost'}`)
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: Readable.toWeb(request), duplex: 'half' }
    const answer = await handle(
      new Request(url, { method, headers: headers as Record<string, string>, ...body } as RequestInit),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (!answer.body) return void response.end()
    // A reader that goes away ends its answer, and nothing else.
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(() => {})
  }
}
