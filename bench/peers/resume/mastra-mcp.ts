import { elicitation } from '@holdpoint/server/mcp-host'
import { MCPClient, type MCPInputRequestHandler } from '@mastra/mcp'
import { versionOf } from '../../support/report.ts'
import type { Place } from '../../support/stores.ts'
import { bridged } from './bridged.ts'
import { nameOf } from './holdpoint.ts'
import { askingServer } from './mcp-retry.ts'
import { FILES, type ResumePeer } from './peer.ts'

const NAME = '@mastra/mcp'

/** Mastra's client of an MCP server that asks. It passes the server's requests for input to a handler of the host. */
async function connected(effects: ReadonlyMap<string, () => void>, inputRequests: MCPInputRequestHandler) {
  const { fetch } = askingServer(effects)
  const url = new URL('http://127.0.0.1/mcp')
  const mcp = new MCPClient({
    id: crypto.randomUUID(),
    servers: { files: { url, fetch: async (to, init) => await fetch(new Request(to, init)), inputRequests } },
  })
  const { files } = await mcp.listToolsets()
  const { execute } = files?.delete_files ?? {}
  if (!execute) throw new Error('Mastra did not list the tool')
  return {
    run: async (question: string) => void (await execute({ question, files: FILES }, {} as never)),
    close: async () => await mcp.disconnect(),
  }
}

/** `inputRequests` of Mastra's MCP client: a promise of the host, in its process. */
export async function mastraMcpPeer(): Promise<ResumePeer> {
  const effects = new Map<string, () => void>()
  type Decide = (yes: { action: 'accept'; content: { confirm: boolean } }) => void
  let asked = (_decide: Decide) => {}
  const { run, close } = await connected(effects, () => new Promise((resolve) => asked(resolve)))
  return {
    name: NAME,
    version: versionOf(NAME),
    store: 'a promise of the host',
    async ask(effect) {
      const question = crypto.randomUUID()
      effects.set(question, effect)
      const asking = new Promise<Decide>((resolve) => {
        asked = resolve
      })
      const ran = run(question)
      const decide = await asking
      return async () => {
        decide({ action: 'accept', content: { confirm: true } })
        await ran
      }
    },
    close,
  }
}

/** The same client with Holdpoint's handler. */
export async function holdpointMastraMcpPeer(place: Place): Promise<ResumePeer> {
  const effects = new Map<string, () => void>()
  const { holdpoint, expecting, commits, close } = bridged(place)
  let asking = ''
  const connection = await connected(effects, async (request) => {
    const call = { sessionId: asking, userId: 'ada', runId: 'turn-1', toolCallId: 'call-1', server: { name: 'Files' } }
    return await elicitation(holdpoint, call)(request)
  })
  return {
    name: `Holdpoint with ${NAME} ${versionOf(NAME)}`,
    bridges: NAME,
    store: nameOf(place),
    commits,
    async ask(effect) {
      const question = crypto.randomUUID()
      effects.set(question, effect)
      let ran: Promise<void> | undefined
      const answer = await expecting(
        question,
        () => {
          asking = question
          ran = connection.run(question)
        },
        { confirm: true },
      )
      return async (tab) => {
        const counts = await answer(tab)
        await ran
        counts()
      }
    },
    async close() {
      await connection.close()
      await close()
    },
  }
}
