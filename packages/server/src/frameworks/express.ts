import type { IncomingMessage, ServerResponse } from 'node:http'
import { createNodeHandler } from '../http/node/node-handler.ts'
import type { Mounted } from './mounted.ts'

export type { Mounted } from './mounted.ts'

/**
 * A handler for Express 5 and other Connect-like frameworks. It works before and after `express.json()`, and behind
 * `compression()`.
 *
 * @example
 * app.use('/holdpoint', toExpressHandler(holdpoint))
 */
export function toExpressHandler(
  holdpoint: Mounted,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return createNodeHandler(holdpoint.fetch.app)
}
