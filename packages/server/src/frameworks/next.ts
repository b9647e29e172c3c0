import type { Mounted } from '../http/mounted.ts'

/** The exports of a catch-all `route.ts` of Next.js. */
interface NextHandlers {
  GET(request: Request): Promise<Response>
  POST(request: Request): Promise<Response>
  OPTIONS(request: Request): Promise<Response>
}

/**
 * Returns route handlers for the Next.js App Router, in a catch-all route such as
 * `app/holdpoint/[...holdpoint]/route.ts`.
 *
 * @example
 * export const { GET, POST, OPTIONS } = toNextHandler(holdpoint)
 */
export function toNextHandler(holdpoint: Mounted): NextHandlers {
  const handle = (request: Request) => holdpoint.fetch(request)
  return { GET: handle, POST: handle, OPTIONS: handle }
}
