import { mcpTool, mcpTools } from '@holdpoint/server/mcp'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { versionOf } from '../../support/report.ts'
import type { Place } from '../../support/stores.ts'
import { bridged } from './bridged.ts'
import { nameOf } from './holdpoint.ts'
import { retryingClient } from './mcp-retry.ts'
import { FILES, PROMPT, type ResumePeer } from './peer.ts'

const NAME = '@modelcontextprotocol/server'
const authInfo = { token: 't', clientId: 'bench', scopes: [], extra: { sub: 'ada' } }

/** The same tool with Holdpoint. The answer is in the second call, so a repeated answer is that call once more. */
export async function holdpointMcpPeer(place: Place): Promise<ResumePeer> {
  const effects = new Map<string, () => void>()
  const { holdpoint, commits, close } = bridged(place)
  const hp = mcpTools(holdpoint, {
    tools: {
      delete_files: mcpTool({
        description: 'Deletes files',
        inputSchema: z.object({ question: z.string(), files: z.array(z.string()) }),
        approve: () => ({ prompt: PROMPT }),
        execute: async ({ question, files }) => {
          effects.get(question)?.()
          return { deleted: files.length }
        },
      }),
    },
    keys: [{ id: 'k1', key: Buffer.alloc(32, 3).toString('base64') }],
    principal: ({ authInfo }) => ({ userId: String(authInfo?.extra?.sub) }),
    url: ({ interactionId }) => `https://files.test/questions/${interactionId}`,
  })
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'files', version: '1.0.0' }, { requestState: { verify: hp.verify } })
    hp.register(server)
    return server
  })
  const client = await retryingClient((request) => handler.fetch(request, { authInfo }))
  return {
    name: `Holdpoint with ${NAME} ${versionOf(NAME)}`,
    bridges: `${NAME}, retry`,
    commits,
    store: nameOf(place),
    async ask(effect) {
      const question = crypto.randomUUID()
      effects.set(question, effect)
      const call = { name: 'delete_files', arguments: { question, files: FILES } }
      const asked = await client.callTool(call, { allowInputRequired: true })
      const { requestState, inputRequests = {} } = asked as unknown as {
        requestState: string
        inputRequests?: Record<string, object>
      }
      const [key] = Object.keys(inputRequests)
      if (key === undefined) throw new Error('the MCP server did not ask')
      const inputResponses = { [key]: { action: 'accept', content: { decision: 'once' } } }
      return async () => await client.callTool({ ...call, inputResponses, requestState } as never)
    },
    close: async () => {
      await client.close()
      await close()
    },
  }
}
