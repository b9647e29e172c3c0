import type { Holdpoint } from '../../holdpoint.ts'
import { type ElicitationHandler, type ElicitationOptions, elicitationHandler } from '../handlers/elicitation.ts'

/**
 * Creates a handler that shows the elicitations of one MCP server as questions of your app. The card names the server.
 * A page is shown with its host and needs the user's consent. A form that no card can show is declined with a reason.
 * The handler works with the clients of both MCP SDKs, and with other hosts that pass on an `ElicitRequest`.
 *
 * @example
 * const ask = elicitation(holdpoint, { sessionId, userId, runId, toolCallId, server: { name: 'GitHub' } })
 * client.setRequestHandler('elicitation/create', ask) // @modelcontextprotocol/client 2.x
 * client.setRequestHandler(ElicitRequestSchema, ask) // @modelcontextprotocol/sdk 1.x
 */
export function elicitation(holdpoint: Holdpoint, options: ElicitationOptions): ElicitationHandler {
  return elicitationHandler(holdpoint, options)
}
