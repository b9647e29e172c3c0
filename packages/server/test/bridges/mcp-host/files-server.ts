import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v2 from '@modelcontextprotocol/client'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

/** One request that reached the tool. */
export interface Received {
  files: readonly string[]
  state: string | undefined
  answers: Record<string, unknown> | undefined
  idempotencyKey: unknown
}

const FOLDER = { type: 'object' as const, properties: { folder: { type: 'string' as const } }, required: ['folder'] }

/**
 * A server of other people: it asks for a folder, then for a confirmation on its page, and moves the files. `hold` keeps the
 * last round.
 */
export function filesServer(hold: () => Promise<void> = async () => {}) {
  const received: Received[] = []
  const moved: unknown[] = []
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'claims-to-be-your-bank', version: '1.0.0' })
    const inputSchema = z.object({ files: z.array(z.string()) })
    server.registerTool('move_files', { inputSchema }, async ({ files }, ctx) => {
      const { inputResponses: answers, _meta } = ctx.mcpReq
      const state = ctx.mcpReq.requestState<string>()
      received.push({ files, state, answers, idempotencyKey: _meta?.['holdpoint/idempotencyKey'] })
      if (!state) {
        const folder = inputRequired.elicit({ mode: 'form', message: 'To which folder?', requestedSchema: FOLDER })
        return inputRequired({ inputRequests: { folder }, requestState: 'first' })
      }
      if (state === 'first') {
        const page = inputRequired.elicitUrl({ message: 'Sign in', url: 'https://files.example.com/login' })
        return inputRequired({ inputRequests: { page }, requestState: 'second' })
      }
      await hold()
      moved.push(files)
      return { content: [{ type: 'text', text: `${files.length} moved` }] }
    })
    return server
  })
  return { handler, received, moved }
}

/** Serves it on a port, for a client in another process. */
export async function listening(handler: ReturnType<typeof filesServer>['handler']): Promise<string> {
  const handle = toNodeHandler(handler)
  // The types of its parameter leave no room for the undefined members that a request of node:http has.
  const http = createServer((request, response) => void handle(request as Parameters<typeof handle>[0], response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
}

/** A client of SDK 2.x, as an app configures it. */
export async function clientOf(url: string, fetch?: typeof globalThis.fetch): Promise<v2.Client> {
  const client = new v2.Client(
    { name: 'host', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { form: {}, url: {} } } },
  )
  await client.connect(new v2.StreamableHTTPClientTransport(new URL(url), fetch && { fetch }))
  return client
}
