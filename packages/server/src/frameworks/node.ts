import type { IncomingMessage, ServerResponse } from 'node:http'
import { appOf, type Mounted } from '../http/mounted.ts'
import { createNodeHandler } from '../http/node/node-handler.ts'

/**
 * Returns a handler for node:http, https and http2, and for all frameworks with compatible requests. Any mount point
 * works.
 *
 * @example
 * import { createServer } from 'node:http'
 * createServer(toNodeHandler(holdpoint)).listen(3000)
 */
export function toNodeHandler(
  holdpoint: Mounted,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return createNodeHandler(appOf(holdpoint))
}
