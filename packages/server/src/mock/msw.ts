import { HttpResponse, http, type RequestHandler } from 'msw'
import type { MockServer } from './mock-server.ts'

/**
 * Returns the handlers of a mock server for `setupWorker` and `setupServer` of msw. Requests to other paths are not
 * handled.
 *
 * @example
 * const mock = mockServer()
 * await setupWorker(...toMswHandlers(mock)).start()
 */
export function toMswHandlers(mock: MockServer): RequestHandler[] {
  return [
    http.all(`*${mock.url}/*`, async ({ request }) => {
      try {
        return await mock.fetch(request)
      } catch {
        return HttpResponse.error()
      }
    }),
  ]
}
