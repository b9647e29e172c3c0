import { mcpTool, mcpTools } from '@holdpoint/server/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { secret } from '../keys.ts'
import { calls, input, tools } from './tools.ts'
import type { BridgeTurn, RunTurn } from './turn.ts'

/** A server in this process, and a client that has no forms of its own: its user answers on this page. */
async function connected({ holdpoint, sessionId, userId }: BridgeTurn) {
  const hp = mcpTools(holdpoint, {
    tools: Object.fromEntries(
      Object.entries(tools).map(([name, { description, approve, before, run }]) => [
        name,
        mcpTool({
          ...{ description, inputSchema: input },
          ...(approve && { approve }),
          before: (given, ctx) => before?.(given, ctx),
          execute: (given, ctx) => run(given, ctx.before),
        }),
      ]),
    ),
    keys: [{ id: '1', key: secret('mcp') }],
    principal: ({ authInfo }) => ({ userId: String(authInfo?.extra?.sub) }),
    session: () => sessionId,
    url: () => `/bridges/${sessionId}`,
  })
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'files', version: '1.0.0' }, { requestState: { verify: hp.verify } })
    hp.register(server)
    return server
  })
  const authInfo = { token: 'example', clientId: 'example', scopes: [], extra: { sub: userId } }
  const client = new Client({ name: 'example', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: (url, init) => handler.fetch(new Request(url, init), { authInfo }),
    }),
  )
  return client
}

/**
 * A call whose question is open returns at once. The same call with the same arguments returns the result, once: after
 * that it would be a new call, with a new question.
 */
export const mcpTurn: RunTurn = async (turn) => {
  const client = await connected(turn)
  const results = await Promise.all(
    calls.map(async ({ name, args }) => {
      if (turn.done[name] !== undefined) return []
      const result = await client.callTool({ name, arguments: args })
      const [first] = result.content as { text?: string }[]
      return result._meta?.['holdpoint/waiting'] ? [] : [[name, first?.text ?? ''] as const]
    }),
  )
  await client.close()
  return Object.fromEntries(results.flat())
}
