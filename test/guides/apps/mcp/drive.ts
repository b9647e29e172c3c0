import assert from 'node:assert/strict'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { reviewTool } from './durable.ts'
import { filesServer } from './files.ts'

const OWNER = { userId: 'ada' }
const authInfo = { token: 't', clientId: 'app', scopes: [], extra: { sub: 'ada' } }

async function connected(handler: ReturnType<typeof createMcpHandler>): Promise<Client> {
  const client = new Client(
    { name: 'app', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
  )
  const fetch = (input: string | URL, init?: RequestInit) => handler.fetch(new Request(input, init), { authInfo })
  await client.connect(new StreamableHTTPClientTransport(new URL('https://files.example.com/mcp'), { fetch }))
  return client
}

const holdpoint = createHoldpoint({ store: memoryStore() })
const ada = testHuman(holdpoint, OWNER)

const removed: string[][] = []
const key = Buffer.alloc(32, 1).toString('base64')
const files = await connected(filesServer(holdpoint, async (names) => void removed.push(names), key))
files.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { decision: 'once' } }))
await files.callTool({ name: 'delete_files', arguments: { files: ['a.txt'] } })
assert.deepEqual(removed, [['a.txt']])

const requestedSchema = { type: 'object' as const, properties: { verdict: { type: 'string' as const } } }
const reviews = createMcpHandler(() => {
  const server = new McpServer({ name: 'reviews', version: '1.0.0' })
  server.registerTool('review', { inputSchema: z.object({ branch: z.string() }) }, async ({ branch }, ctx) => {
    const answer = ctx.mcpReq.inputResponses?.verdict
    if (answer) return { content: [{ type: 'text', text: `${branch}: ${JSON.stringify(answer)}` }] }
    const verdict = inputRequired.elicit({ mode: 'form', message: 'Is it good?', requestedSchema })
    return inputRequired({ inputRequests: { verdict } })
  })
  return server
})
const review = reviewTool(holdpoint, await connected(reviews))
const call = { runId: 'run-1', toolCallId: 'call-1' }
const going = holdpoint.session('chat', OWNER).runTool(review, { branch: 'main' }, call)
await ada.fill(await ada.next(), { verdict: 'yes' })
const ran = await going
assert.ok(ran.status === 'completed' && ran.result.includes('yes'))
process.exit()
