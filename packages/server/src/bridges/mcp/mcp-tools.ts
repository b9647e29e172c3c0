import { HoldpointError } from '@holdpoint/core'
import type { Principal } from '../../base/principal.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { engineOf } from '../../http/mounted.ts'
import type { VaultKey } from '../../security/vault.ts'
import { errorResult } from './call-result.ts'
import { type AnyMcpTool, asTool, type McpToolDefinition } from './mcp-tool.ts'
import { stateSeal } from './request-state.ts'
import { type CallKit, McpCall, type ServedTool } from './run-call.ts'
import { callerOf, type McpCaller, type McpServerLike, readRequest, type ToolResult } from './sdk.ts'

const WAIT_MS = 25_000

/** Options of `mcpTools`. */
export interface McpToolsOptions {
  /** The tools, by name. */
  tools: Readonly<Record<string, AnyMcpTool>>
  /**
   * Returns the user of a call. Read it from `authInfo`, the result of the server's token verification, never from
   * arguments or `_meta`, which the client writes. Return null to reject the call.
   */
  principal: (caller: McpCaller) => Principal | null | undefined | Promise<Principal | null | undefined>
  /** 32-byte keys that encrypt `requestState`. The first key encrypts, all decrypt. All nodes need the same keys. */
  keys: readonly VaultKey[]
  /**
   * Returns the address of the page that answers a question, such as `pages.url` of `answerPage`. The page must require a
   * login: clients and models read the address. `shownTo` is `model` if it becomes part of a tool's result.
   */
  url: (question: { sessionId: string; interactionId: string }, shownTo: 'user' | 'model') => string | Promise<string>
  /**
   * Returns the session in which a user's questions are asked.
   *
   * @default one session for each user
   */
  session?: (principal: Principal, caller: McpCaller) => string
  /**
   * Milliseconds that a call waits for the answer after the user opened its page. By default, clients time out after a
   * minute.
   *
   * @default 25_000
   */
  waitMs?: number
}

/** The tools of an MCP server, with their questions. */
export interface McpTools {
  /** Registers all tools on a server of `@modelcontextprotocol/server` 2.x or `@modelcontextprotocol/sdk` 1.x. */
  register(server: McpServerLike): void
  /**
   * Rejects a forged `requestState` before a handler runs. Pass it to the server of SDK 2.x:
   * `new McpServer(info, { requestState: { verify: hp.verify } })`. The tools check it in any case.
   */
  verify(state: string, context: unknown): Promise<void>
}

/**
 * Lets the tools of an MCP server ask their user. A question reaches the user in the client's own form, on the answer
 * page, or as a text with the address of that page, whichever the client can show first. Only the first answer counts,
 * from any device.
 *
 * @example
 * const hp = mcpTools(holdpoint, {
 *   tools: { delete_files: deleteFiles },
 *   keys: [{ id: 'k1', key: process.env.MCP_STATE_KEY! }],
 *   principal: ({ authInfo }) => (authInfo?.extra?.sub ? { userId: String(authInfo.extra.sub) } : null),
 *   url: (question) => pages.url(question),
 * })
 * const server = new McpServer({ name: 'files', version: '1.0.0' }, { requestState: { verify: hp.verify } })
 * hp.register(server)
 */
export function mcpTools(holdpoint: Holdpoint, options: McpToolsOptions): McpTools {
  const { tools, principal, keys, url, session = sessionOf, waitMs = WAIT_MS } = options
  const seal = stateSeal(keys, (length) => engineOf(holdpoint).environment.randomBytes(length))
  const kit: CallKit = { holdpoint, seal, url, waitMs }
  const served = Object.entries(tools).map(([name, given]): ServedTool => {
    const definition = given as unknown as McpToolDefinition<unknown>
    // The tool is registered, so that another process can continue a call whose process died.
    return { name, definition, tool: holdpoint.tool(asTool(name, definition)) }
  })

  async function callTool(
    tool: ServedTool,
    server: McpServerLike,
    args: unknown,
    context: unknown,
  ): Promise<ToolResult> {
    const incoming = readRequest(server, context)
    const user = await principal(incoming.caller)
    if (!user)
      return errorResult('The request is not authenticated, so no user can be asked. Connect with a valid token.')
    return await new McpCall({
      kit,
      served: tool,
      principal: user,
      sessionId: session(user, incoming.caller),
      incoming,
      args,
    }).run()
  }

  return {
    register(server) {
      for (const tool of served) {
        const { title, description, inputSchema, outputSchema, annotations } = tool.definition
        const config = {
          inputSchema,
          ...(title !== undefined && { title }),
          ...(description !== undefined && { description }),
          ...(outputSchema && { outputSchema }),
          ...(annotations && { annotations }),
        }
        const callback = (args: unknown, context: unknown) => callTool(tool, server, args, context)
        server.registerTool(tool.name, config as never, callback as never)
      }
    },
    async verify(state, context) {
      const user = await principal(callerOf(context))
      if (!user) throw new HoldpointError('invalid_request', 'The request is not authenticated.')
      seal.verify(state, user)
    },
  }
}

const sessionOf = ({ userId }: Principal) => `mcp:${userId}`
