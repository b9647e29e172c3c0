import type { Mounted } from '../http/mounted.ts'

/**
 * A handler for Hono, wherever Hono runs. `serve({ fetch: holdpoint.fetch })` works as well.
 *
 * @example
 * app.all('/holdpoint/*', toHonoHandler(holdpoint))
 */
export function toHonoHandler(holdpoint: Mounted): (context: { req: { raw: Request } }) => Promise<Response> {
  return ({ req }) => holdpoint.fetch(req.raw)
}
