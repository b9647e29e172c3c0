import type { Incoming } from '../http/requests/http-request.ts'
import { tooLarge } from '../http/requests/read-body.ts'

/** Describes a call from this process, or from the peer of a frame channel, for the routes. */
export function localIncoming(method: 'GET' | 'POST', target: string, body: unknown): Incoming {
  const mark = target.indexOf('?')
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    // The call cannot receive a stream, so `events` answers with a poll.
    header: (name) => (name === 'accept' ? 'application/json' : null),
    toRequest: () => new Request(new URL(target, 'http://localhost'), { method }),
    async readBody({ maxBytes }) {
      const read = body instanceof Uint8Array ? body : JSON.stringify(body ?? null)
      if (read.length > maxBytes) tooLarge(maxBytes)
      return read
    },
    onGone() {},
  }
}
