import { fromRequest } from '../http/requests/from-request.ts'
import type { Incoming } from '../http/requests/http-request.ts'
import { tooLarge } from '../http/requests/read-body.ts'

/**
 * Describes a request of the page for the routes. A page cannot read or set the headers that browsers send about its
 * origin, so `sec-fetch-site` is set to `same-origin`. The body is read as a whole, because not every browser can
 * stream the body of a request that was not sent.
 */
export function pageRequest(request: Request): Incoming {
  const incoming = fromRequest(request)
  return {
    ...incoming,
    header: (name) => (name === 'sec-fetch-site' ? 'same-origin' : incoming.header(name)),
    async readBody({ maxBytes }) {
      const bytes = new Uint8Array(await request.arrayBuffer())
      return bytes.length > maxBytes ? tooLarge(maxBytes) : bytes
    },
  }
}
