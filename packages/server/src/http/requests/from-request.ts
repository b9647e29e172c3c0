import type { Incoming } from './http-request.ts'
import { bodyAlreadyRead, limitedChunks, readBody } from './read-body.ts'
import { remoteAddressOf, withRemoteAddress } from './remote-address.ts'

/** Describes a web-standard Request for the routes. */
export function fromRequest(request: Request): Incoming {
  const url = new URL(request.url)
  return {
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    // A Request without a Host header has the host in its URL, which the runtime or the host application built.
    header: (name) => request.headers.get(name) ?? (name === 'host' ? url.host : null),
    // Session libraries clone the request, and a request whose body was read cannot be cloned.
    toRequest: () => (request.bodyUsed ? withoutBody(request) : request),
    async readBody(limits) {
      if (request.bodyUsed) bodyAlreadyRead()
      if (!request.body) return new Uint8Array()
      return readBody(request.body, request.headers.get('content-length'), limits)
    },
    async *bodyChunks(limits) {
      if (request.bodyUsed) bodyAlreadyRead()
      if (request.body) yield* limitedChunks(request.body, request.headers.get('content-length'), limits)
    },
    onGone(listener) {
      if (request.signal.aborted) listener()
      else request.signal.addEventListener('abort', listener, { once: true })
    },
  }
}

const withoutBody = (request: Request): Request =>
  withRemoteAddress(
    new Request(request.url, { method: request.method, headers: request.headers }),
    remoteAddressOf(request),
  )
