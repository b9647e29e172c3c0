import { agent, client } from '@agentclientprotocol/sdk'
import { InteractionRefused } from '@holdpoint/server'
import { acpAgent } from '@holdpoint/server/acp'
import { calls, tools } from './tools.ts'
import { callIdOf, type RunTurn } from './turn.ts'

/** An agent in this process, and a client whose user closes its dialogs and answers on this page. */
export const acpTurn: RunTurn = async ({ holdpoint, sessionId, userId, runId }) => {
  const session = holdpoint.session(sessionId, { userId })
  const app = client({ name: 'editor' }).onRequest('session/request_permission', () => ({
    outcome: { outcome: 'cancelled' },
  }))
  return await agent({ name: 'cleaner' }).connectWith(app, async (editor) => {
    const show = acpAgent(holdpoint, { client: editor, acpSessionId: sessionId, capabilities: undefined, userId })
    const results = calls.map(async ({ name, args }) => {
      const { approve, before, run } = tools[name]
      const toolCallId = callIdOf('acp', name)
      const ctx = session.toolCall({ runId, toolCallId, toolName: name })
      try {
        const asked = approve && ctx.approve({ args, ...approve(args) })
        if (asked) await showOpen()
        const given = (await asked)?.args ?? args
        return [name, run(given, await before?.(given, ctx))] as const
      } catch (error) {
        if (error instanceof InteractionRefused) return [name, error.message] as const
        throw error
      }

      async function showOpen() {
        const { interactions } = await holdpoint.interactions.list({ sessionId, status: 'open' })
        const found = interactions.find((one) => one.toolCallId === toolCallId)
        if (found) await show({ sessionId, interactionId: found.interactionId })
      }
    })
    return Object.fromEntries(await Promise.all(results))
  })
}
