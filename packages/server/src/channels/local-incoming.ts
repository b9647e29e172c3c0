import type { Incoming } from '../http/requests/http-request.ts'
import { tooLarge } from '../http/requests/read-body.ts'

/** A call from this process, or from the peer of a frame channel, as the routes see it. */
export function localIncoming(method: 'GET' | 'POST', target: string, body: unknown): Incoming {
  const mark = target.indexOf('?')
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    // There is no stream to answer with, so `events` is a poll.
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
