import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { versionOf } from '../../support/report.ts'
import { FILES, PROMPT, type ResumePeer } from './peer.ts'

const CONFIRM = {
  type: 'object' as const,
  properties: { confirm: { type: 'boolean' as const, title: 'Yes, delete them' } },
  required: ['confirm'],
}
const YES = { action: 'accept' as const, content: { confirm: true } }

/**
 * MCP's elicitation as connections up to 2025-11-25 have it: the tool asks through the open connection, and waits in the
 * process. A second answer is a second response with the same id.
 */
export async function mcpPushPeer(): Promise<ResumePeer> {
  const effects = new Map<string, () => void>()
  const server = new McpServer({ name: 'files', version: '1.0.0' })
  server.registerTool(
    'delete_files',
    { description: 'Deletes files', inputSchema: z.object({ question: z.string(), files: z.array(z.string()) }) },
    async ({ question, files }, ctx) => {
      const answer = await ctx.mcpReq.elicitInput({ mode: 'form', message: PROMPT, requestedSchema: CONFIRM })
      if (answer.action !== 'accept' || answer.content?.confirm !== true) return { content: [] }
      effects.get(question)?.()
      return { content: [{ type: 'text', text: `${files.length} deleted` }] }
    },
  )
  const client = new Client({ name: 'host', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
  type Asked = readonly [id: string | number, answer: (yes: typeof YES) => void]
  // The connection keeps the order of calls and of their questions.
  const expected: ((asked: Asked) => void)[] = []
  client.setRequestHandler('elicitation/create', (_request, ctx) => {
    return new Promise((resolve) => expected.shift()?.([ctx.mcpReq.id, resolve]))
  })
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair()
  await server.connect(serverEnd)
  await client.connect(clientEnd)
  return {
    name: '@modelcontextprotocol/server, push',
    version: versionOf('@modelcontextprotocol/server'),
    store: 'an open connection',
    note: 'the question is gone when the connection or the process is',
    async ask(effect) {
      const question = crypto.randomUUID()
      effects.set(question, effect)
      const waiting = new Promise<Asked>((resolve) => expected.push(resolve))
      const ran = client.callTool({ name: 'delete_files', arguments: { question, files: FILES } })
      const [id, answer] = await waiting
      let answered = false
      return async () => {
        if (answered) await clientEnd.send({ jsonrpc: '2.0', id, result: YES })
        else answer(YES)
        answered = true
        return await ran
      }
    },
    close: async () => await client.close(),
  }
}
