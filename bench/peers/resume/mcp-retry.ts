import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  acceptedContent,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { versionOf } from '../../support/report.ts'
import { FILES, PROMPT, type ResumePeer } from './peer.ts'

const confirmation = z.object({ confirm: z.boolean() })

/** A client that leaves the questions of a server to its host. */
export async function retryingClient(serve: (request: Request) => Promise<Response>): Promise<Client> {
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {} } },
      inputRequired: { autoFulfill: false },
      versionNegotiation: { mode: 'auto' },
    },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://files.test/mcp'), {
      fetch: (url, init) => serve(new Request(url, init)),
    }),
  )
  return client
}

/** A server whose tool returns what it needs, and runs when the call comes again with the answer. */
export function askingServer(effects: ReadonlyMap<string, () => void>) {
  const codec = createRequestStateCodec<{ question: string }>({ key: crypto.getRandomValues(new Uint8Array(32)) })
  return createMcpHandler(() => {
    const server = new McpServer({ name: 'files', version: '1.0.0' }, { requestState: { verify: codec.verify } })
    server.registerTool(
      'delete_files',
      { description: 'Deletes files', inputSchema: z.object({ question: z.string(), files: z.array(z.string()) }) },
      async ({ question, files }, ctx) => {
        const state = ctx.mcpReq.requestState<{ question: string }>()
        const answer = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', confirmation)
        if (answer?.confirm !== true || state?.question !== question) {
          const confirm = inputRequired.elicit({ message: PROMPT, requestedSchema: confirmation })
          return inputRequired({ inputRequests: { confirm }, requestState: await codec.mint({ question }) })
        }
        effects.get(question)?.()
        return { content: [{ type: 'text', text: `${files.length} deleted` }] }
      },
    )
    return server
  })
}

/**
 * MCP's elicitation as of 2026-07-28: the tool returns what it needs, the client calls it again with the answer and with
 * the state that it was given, signed. The handler is called in the process, as its documents test servers. A second
 * answer is the same second call once more.
 */
export async function mcpRetryPeer(): Promise<ResumePeer> {
  const effects = new Map<string, () => void>()
  const handler = askingServer(effects)
  const client = await retryingClient((request) => handler.fetch(request))
  return {
    name: '@modelcontextprotocol/server, retry',
    version: versionOf('@modelcontextprotocol/server'),
    store: 'signed state, with the client',
    note: 'the state is signed and expires; that it is used once is the server author’s',
    async ask(effect) {
      const question = crypto.randomUUID()
      effects.set(question, effect)
      const call = { name: 'delete_files', arguments: { question, files: FILES } }
      const asked = await client.callTool(call, { allowInputRequired: true })
      if (asked.resultType !== 'input_required') throw new Error('the MCP server did not ask')
      const { requestState } = asked as unknown as { requestState: string }
      const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } }
      return async () => await client.callTool({ ...call, inputResponses, requestState } as never)
    },
    close: async () => await client.close(),
  }
}
