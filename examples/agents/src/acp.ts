import { type AgentApp, client, type PromptRequest, type Stream } from '@agentclientprotocol/sdk'
import type { Holdpoint } from '@holdpoint/server'
import { acpClient } from '@holdpoint/server/acp'

/** One prompt turn of an agent of the Agent Client Protocol, for a user whom your server has authenticated. */
export async function promptTurn(
  holdpoint: Holdpoint,
  turn: { sessionId: string; userId: string; runId: string },
  agent: Stream | AgentApp,
  text: string,
): Promise<string> {
  const hp = acpClient(holdpoint, { ...turn, agent: { name: 'Coding agent' } })
  const app = client({ name: 'my-app' })
    .onRequest('session/request_permission', hp.requestPermission)
    .onRequest('elicitation/create', hp.createElicitation)
  return await app.connectWith(agent, async (connected) => {
    const capabilities = { elicitation: { form: {}, url: {} } }
    await connected.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities })
    const { sessionId } = await connected.request('session/new', { cwd: process.cwd(), mcpServers: [] })
    const request: PromptRequest = { sessionId, prompt: [{ type: 'text', text }] }
    return (await connected.request('session/prompt', request)).stopReason
  })
}
