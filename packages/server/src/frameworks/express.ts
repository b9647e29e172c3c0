import type { IncomingMessage, ServerResponse } from 'node:http'
import { appOf, type Mounted } from '../http/mounted.ts'
import { createNodeHandler } from '../http/node/node-handler.ts'

/**
 * Returns a handler for Express 4.18 and newer, Express 5 and other Connect-like frameworks. It works before and after
 * `express.json()`, and behind `compression()`.
 *
 * @example
 * app.use('/holdpoint', toExpressHandler(holdpoint))
 */
export function toExpressHandler(
  holdpoint: Mounted,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return createNodeHandler(appOf(holdpoint))
}
