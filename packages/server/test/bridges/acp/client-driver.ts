import { type AgentContext, agent, client, type PermissionOption } from '@agentclientprotocol/sdk'
import type { BridgeCall, BridgeDriver, CallState, Stop } from '@holdpoint/conformance/bridge'
import { acpClient } from '@holdpoint/server/acp'

const AGENT_RUNS = 'the agent runs its tools in its own process: the client decides before them, and sees no result'
const NO_TEXT = 'the response names an option of the agent, and has no place for a text'

const OPTIONS: PermissionOption[] = [
  { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
  { optionId: 'no', kind: 'reject_once', name: 'No' },
]

/** The session of an agent: its calls, and the results of those that it ran. */
interface Saved {
  calls: readonly BridgeCall[]
  ended: Record<string, CallState>
}

/** An app that drives an agent, which asks for permission before it runs a tool and asks again when it reconnects. */
export const driver: BridgeDriver = {
  module: import.meta.url,
  sessionId: 'chat-1',
  cannot: {
    fifty_resumes: AGENT_RUNS,
    repeated: AGENT_RUNS,
    killed_running: AGENT_RUNS,
    expired: `${NO_TEXT}; the row "late" shows that nothing runs`,
    denied: `${NO_TEXT}; acp-client.test.ts shows the rejection`,
    other_arguments: 'other arguments under the same id are another question of the agent: see acp-client.test.ts',
    edited: 'the protocol has no place for changed arguments, so the card cannot be edited',
    invalid_edit: 'the protocol has no place for changed arguments, so the card cannot be edited',
    two_questions: AGENT_RUNS,
    secret: AGENT_RUNS,
    connect: AGENT_RUNS,
  },

  open({ holdpoint, tools, userId }) {
    const isOpen = async (toolCallId: string) => {
      const { interactions } = await holdpoint.interactions.list({ userId })
      return interactions.some((one) => one.toolCallId === toolCallId)
    }

    const step = async ({ calls, ended }: Saved): Promise<Stop> => {
      const hp = acpClient(holdpoint, { sessionId: 'chat-1', userId, runId: 'turn-1', agent: { name: 'Codex' } })
      const app = client({ name: 'editor' }).onRequest('session/request_permission', hp.requestPermission)
      const states: Record<string, CallState> = { ...ended }

      /** The agent's part: it asks for permission, and runs the tool if the client selects an option that allows. */
      const ask = async (editor: AgentContext, { toolCallId, toolName, input }: BridgeCall) => {
        const toolCall = { toolCallId, name: toolName, title: `Run ${toolName}`, rawInput: input }
        const { outcome } = await editor.request('session/request_permission', {
          ...{ sessionId: 's', toolCall: toolCall as never, options: OPTIONS },
        })
        const chosen = outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome
        const tool = tools.find(({ name }) => name === toolName)
        states[toolCallId] =
          chosen === 'yes'
            ? { state: 'done', output: await tool?.execute(input, {} as never, undefined) }
            : { state: 'not_done', text: chosen }
      }

      return await agent({ name: 'codex' }).connectWith(app, async (editor: AgentContext) => {
        const left = calls.filter(({ toolCallId }) => !ended[toolCallId])
        let failed: unknown
        for (const call of left) {
          ask(editor, call).catch((error) => {
            failed ??= error
          })
        }
        // The connection ends when each request has a response, or its question is open.
        for (const { toolCallId } of left) {
          while (!states[toolCallId] && !(await isOpen(toolCallId))) {
            if (failed) throw failed
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
        }
        const done = { ...states }
        for (const { toolCallId } of calls) done[toolCallId] ??= { state: 'waiting' }
        return { saved: { calls, ended: { ...states } } satisfies Saved, calls: done }
      })
    }
    return {
      begin: (calls) => step({ calls, ended: {} }),
      resume: (saved) => step(saved as Saved),
      forgeries: (saved) => [{ name: 'a request without an answer', resume: () => step(saved as Saved) }],
    }
  },
}
