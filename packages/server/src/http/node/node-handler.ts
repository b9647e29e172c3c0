import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { sseRetry } from '@holdpoint/core/internal'
import type { HttpApp } from '../app.ts'
import type { EventStream, HttpResponse } from '../responses/http-response.ts'
import { NodeIncoming } from './node-incoming.ts'
import { NodeSink, ResponseSink } from './node-sink.ts'

/** Handles node:http requests without a web stream in between. Resolves when the answer was written. */
export function createNodeHandler(app: HttpApp): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const outgoing = await app.handle(new NodeIncoming(request, response))
    if (response.destroyed) return
    try {
      if (outgoing.kind === 'stream') openStream(app, outgoing, request, response)
      else send(outgoing, request, response)
    } catch (error) {
      // Another middleware made the response unusable. node:http does not await this function, so the error ends here.
      app.refusalOf(error)
      response.destroy()
    }
  }
}

function send({ status, headers, body }: HttpResponse, request: IncomingMessage, response: ServerResponse): void {
  if (body !== '') headers['content-length'] = String(Buffer.byteLength(body))
  // Closes the connection, because keeping it would require reading the rest of an unwanted body.
  if (!request.complete) headers.connection = 'close'
  response.writeHead(status, headers).end(body)
}

function openStream(app: HttpApp, stream: EventStream, request: IncomingMessage, response: ServerResponse): void {
  const { socket } = response
  // Corks the socket, so that the headers and the missed events leave in one write.
  socket?.cork()
  // The stream ends with its connection, so chunked encoding is not needed. Without it, all readers can share the same
  // bytes.
  response.useChunkedEncodingByDefault = false
  response.writeHead(200, stream.headers)
  response.write(sseRetry(app.tuning.retryMs))
  const direct = directTo(request, response)
  const sink = direct ? new NodeSink(response, direct) : new ResponseSink(response)
  const subscriber = stream.open(sink)
  // Uses `on` because the wrapper that `once` creates would stay in memory for every idle reader.
  response.on('close', () => subscriber.left())
  socket?.uncork()
  flattenHead(response)
}

/**
 * Saves about 1 KB for each open stream. node:http keeps the head of a response as a rope of concatenated strings.
 * Matching it makes V8 replace the rope by one flat string. `_header` is undocumented; without it, nothing happens.
 */
function flattenHead(response: ServerResponse & { _header?: unknown }): void {
  const { _header: head } = response
  if (typeof head === 'string') /^HTTP/.test(head)
}

/** Returns the socket if bytes that are written to it reach the reader unchanged, otherwise null. */
function directTo({ httpVersionMajor }: IncomingMessage, response: ServerResponse): Writable | null {
  // HTTP/2 shares its socket, a pipelined response has none yet, and a compressor must process every byte.
  const transformed = response.hasHeader('content-encoding') || response.hasHeader('transfer-encoding')
  return httpVersionMajor === 1 && response.headersSent && !transformed ? response.socket : null
}
