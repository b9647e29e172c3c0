import type { Incoming } from './http-request.ts'
import { bodyAlreadyRead, readBody } from './read-body.ts'
import { remoteAddressOf, withRemoteAddress } from './remote-address.ts'

/** A web-standard Request as the routes see it. */
export function fromRequest(request: Request): Incoming {
  const url = new URL(request.url)
  return {
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    // Without a Host header, the URL was built from it, or from the configuration of the host application.
    header: (name) => request.headers.get(name) ?? (name === 'host' ? url.host : null),
    // A request whose body was read cannot be cloned, which session libraries do.
    toRequest: () => (request.bodyUsed ? withoutBody(request) : request),
    async readBody(limits) {
      if (request.bodyUsed) bodyAlreadyRead()
      if (!request.body) return new Uint8Array()
      return readBody(request.body, request.headers.get('content-length'), limits)
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
