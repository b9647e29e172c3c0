import { type AgentContext, agent, client, type PermissionOption } from '@agentclientprotocol/sdk'
import type { BridgeCall, BridgeDriver, CallState, Stop } from '@holdpoint/conformance/bridge'
import { acpClient } from '@holdpoint/server/acp'

const AGENT_RUNS = 'the agent runs its tools in its own process: the client decides before them, and sees no result'
const NO_EDIT = 'the protocol has no field for changed arguments, so the card cannot be edited'

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
    edited: NO_EDIT,
    invalid_edit: NO_EDIT,
    two_questions: AGENT_RUNS,
    secret: AGENT_RUNS,
    connect: AGENT_RUNS,
  },

  open({ holdpoint, tools, userId }) {
    const isOpen = async ({ toolCallId, input }: BridgeCall) => {
      const { interactions } = await holdpoint.interactions.list({ userId })
      const asked = JSON.stringify(input)
      return interactions.some((one) => one.toolCallId === toolCallId && JSON.stringify(one.request).includes(asked))
    }

    const step = async ({ calls, ended }: Saved): Promise<Stop> => {
      const hp = acpClient(holdpoint, { sessionId: 'chat-1', userId, runId: 'turn-1', agent: { name: 'Codex' } })
      const app = client({ name: 'editor' }).onRequest('session/request_permission', hp.requestPermission)
      const states: Record<string, CallState> = { ...ended }

      /** The agent's part: it asks for permission, and runs the tool if the client selects an option that allows. */
      const ask = async (editor: AgentContext, { toolCallId, toolName, input }: BridgeCall) => {
        const toolCall = { toolCallId, name: toolName, title: `Run ${toolName}`, rawInput: input }
        const { outcome, _meta } = await editor.request('session/request_permission', {
          ...{ sessionId: 's', toolCall: toolCall as never, options: OPTIONS },
        })
        const chosen = outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome
        const tool = tools.find(({ name }) => name === toolName)
        states[toolCallId] =
          chosen === 'yes'
            ? { state: 'done', output: await tool?.execute(input, {} as never, undefined) }
            : { state: 'not_done', text: String(_meta?.['holdpoint/reason'] ?? chosen) }
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
        for (const call of left) {
          while (!states[call.toolCallId] && !(await isOpen(call))) {
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
      withInput: (saved, toolCallId, input) => {
        const { calls, ended } = saved as Saved
        return { calls: calls.map((call) => (call.toolCallId === toolCallId ? { ...call, input } : call)), ended }
      },
      forgeries: (saved) => [{ name: 'a request without an answer', resume: () => step(saved as Saved) }],
    }
  },
}
