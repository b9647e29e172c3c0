import type { Mounted } from '../http/mounted.ts'

/**
 * Returns a handler for Hono, in every runtime. `serve({ fetch: holdpoint.fetch })` works as well.
 *
 * @example
 * app.all('/holdpoint/*', toHonoHandler(holdpoint))
 */
export function toHonoHandler(holdpoint: Mounted): (context: { req: { raw: Request } }) => Promise<Response> {
  return ({ req }) => holdpoint.fetch(req.raw)
}
