import type { Holdpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { mcpTool, mcpTools } from '@holdpoint/server/mcp'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** An MCP server whose tool asks its user. `remove` deletes the files. */
export function filesServer(holdpoint: Holdpoint, remove: (files: string[]) => Promise<void>, stateKey: string) {
  const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
  const hp = mcpTools(holdpoint, {
    tools: {
      delete_files: mcpTool({
        description: 'Deletes files',
        inputSchema: z.object({ files: z.array(z.string()) }),
        approve: ({ files }) => ({ prompt: `Delete ${files.length} files?` }),
        execute: async ({ files }, ctx) => {
          await ctx.once('delete', () => remove(files))
          return { deleted: files.length }
        },
      }),
    },
    keys: [{ id: 'k1', key: stateKey }], // 32 bytes: openssl rand -base64 32
    principal: ({ authInfo }) => (typeof authInfo?.extra?.sub === 'string' ? { userId: authInfo.extra.sub } : null),
    url: (question) => pages.url(question),
  })
  return createMcpHandler(() => {
    const server = new McpServer({ name: 'files', version: '1.0.0' }, { requestState: { verify: hp.verify } })
    hp.register(server)
    return server
  })
}
