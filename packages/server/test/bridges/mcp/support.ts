import type { BridgeTool, Files } from '@holdpoint/conformance/bridge'
import type { Holdpoint } from '@holdpoint/server'
import { type McpTools, mcpTool, mcpTools } from '@holdpoint/server/mcp'
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import type { McpToolDefinition } from '../../../src/bridges/mcp/mcp-tool.ts'
import type { McpToolsOptions } from '../../../src/bridges/mcp/mcp-tools.ts'

export const KEYS = [{ id: 'k1', key: Buffer.alloc(32, 3).toString('base64') }]
export const MODERN = '2026-07-28'
const URL_ = 'https://files.example.com/mcp'

/** The bridge with a principal from the token, as a server configures it. */
export function bridge(
  holdpoint: Holdpoint,
  tools: McpToolsOptions['tools'],
  options: Partial<McpToolsOptions> = {},
): McpTools {
  return mcpTools(holdpoint, {
    tools,
    keys: KEYS,
    principal: ({ authInfo }) => (typeof authInfo?.extra?.sub === 'string' ? { userId: authInfo.extra.sub } : null),
    url: ({ sessionId, interactionId }) => `https://app.example.com/q/${sessionId}/${interactionId}`,
    waitMs: 2_000,
    ...options,
  })
}

/** A server of SDK 2.x over HTTP, without a port. */
export function served(hp: McpTools) {
  const info = { name: 'files', version: '1.0.0' }
  return createMcpHandler(() => {
    const server = new McpServer(info, { requestState: { verify: hp.verify } })
    hp.register(server)
    return server
  })
}

/** A client of SDK 2.x, signed in as `userId`. */
export async function connected(hp: McpTools, userId: string | undefined, options: ClientOptions = {}) {
  const handler = served(hp)
  const authInfo =
    userId === undefined ? undefined : { token: 't', clientId: 'app', scopes: [], extra: { sub: userId } }
  const client = new Client(
    { name: 'editor', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: MODERN } }, ...options },
  )
  const transport = new StreamableHTTPClientTransport(new URL(URL_), {
    fetch: (input, init) => handler.fetch(new Request(input, init), authInfo && { authInfo }),
  })
  await client.connect(transport)
  const close = async () => {
    await client.close()
    await handler.close()
  }
  return { client, close }
}

export const BOTH_MODES = { capabilities: { elicitation: { form: {}, url: {} } } }

/** The tools of the conformance suite, as tools of the bridge. */
export function toolsOf(tools: readonly BridgeTool[]): McpToolsOptions['tools'] {
  return Object.fromEntries(tools.map((tool) => [tool.name, definitionOf(tool)]))
}

function definitionOf({ description, input, approve, before, execute }: BridgeTool) {
  const definition: McpToolDefinition<Files> = {
    ...{ description, inputSchema: input },
    ...(approve && { approve: (given) => approve(given) }),
    ...(before && { before: (given, ctx) => before(given, ctx) }),
    execute: (given, ctx) => execute(given, ctx, ctx.before),
  }
  return mcpTool(definition)
}
