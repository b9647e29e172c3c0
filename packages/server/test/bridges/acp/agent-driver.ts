import { type AgentContext, agent, client, type RequestPermissionResponse } from '@agentclientprotocol/sdk'
import type { BridgeCall, BridgeDriver, BridgeTool, CallState, Claim, Stop } from '@holdpoint/conformance/bridge'
import { type Holdpoint, InteractionRefused } from '@holdpoint/server'
import { acpAgent } from '@holdpoint/server/acp'
import { askAtGate } from '../../../src/bridges/handlers/ask-at-gate.ts'
import { asTool, type Questions, settle } from '../../../src/bridges/handlers/settle.ts'
import { outputOf } from '../../../src/bridges/handlers/tool-not-run.ts'
import { engineOf } from '../../../src/http/mounted.ts'

/** The decision of the client's dialog. Without one the dialog is closed. */
type Decides = Claim | 'invented' | undefined

/** An agent of the protocol: it shows an open question in the connected client, and ends its turn if it stays open. */
export const driver: BridgeDriver = {
  module: import.meta.url,
  sessionId: 'chat-1',

  open({ holdpoint, tools, userId }) {
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    const step = async (calls: readonly BridgeCall[], decides?: Decides, viewer = userId): Promise<Stop> => {
      const app = client({ name: 'editor' }).onRequest('session/request_permission', () => decisionOf(decides))
      return await agent({ name: 'cleaner' }).connectWith(app, async (editor: AgentContext) => {
        const options = { client: editor, acpSessionId: 's', capabilities: undefined, userId: viewer }
        const show = acpAgent(holdpoint, options)
        const states = await Promise.all(
          calls.map((call) => runCall(holdpoint, userId, byName.get(call.toolName)!, call, show)),
        )
        return { saved: calls, calls: Object.fromEntries(calls.map(({ toolCallId }, n) => [toolCallId, states[n]!])) }
      })
    }
    const callsOf = (saved: unknown) => saved as BridgeCall[]
    return {
      begin: (calls) => step(calls),
      resume: (saved, claim) => step(callsOf(saved), claim),
      forgeries: (saved) => [
        { name: 'a turn without an answer', resume: () => step(callsOf(saved)) },
        { name: 'an option that was not offered', resume: () => step(callsOf(saved), 'invented') },
        { name: 'the client of another user', resume: () => step(callsOf(saved), 'approve', 'eve') },
      ],
      withInput: (saved, toolCallId, input) =>
        callsOf(saved).map((call) => (call.toolCallId === toolCallId ? { ...call, input } : call)),
    }
  },
}

function decisionOf(decides: Decides): RequestPermissionResponse {
  if (!decides) return { outcome: { outcome: 'cancelled' } }
  const options = { approve: 'once', deny: 'deny', invented: 'everything' } as const
  return { outcome: { outcome: 'selected', optionId: options[decides] } }
}

/** The loop of an agent around one tool call: ask, show, and run when nothing is open. */
async function runCall(
  holdpoint: Holdpoint,
  userId: string,
  tool: BridgeTool,
  { toolCallId, input }: BridgeCall,
  show: ReturnType<typeof acpAgent>,
): Promise<CallState> {
  const session = holdpoint.session('chat-1', { userId })
  const call = { runId: 'turn-1', toolCallId, toolName: tool.name }
  const { approve, before, execute } = tool
  const questions = { schema: tool.input, ...(approve && { approve }), ...(before && { before }) } as Questions
  const own = asTool({
    ...{ name: tool.name, schema: tool.input },
    settle: (given, ctx) => settle(questions, given, ctx),
    execute: async (args, ctx, value) => await execute(args as BridgeCall['input'], ctx, value),
  })
  const { environment } = engineOf(holdpoint)
  const ask = () => askAtGate(environment, session, { ...call, input }, (gate) => settle(questions, input, gate))
  let waiting = await ask()
  if (waiting && (await show({ sessionId: 'chat-1', interactionId: waiting })) === 'answered') waiting = await ask()
  if (waiting) return { state: 'waiting' }
  try {
    const ran = await session.runTool(own, input, call)
    return ran.status === 'completed' ? { state: 'done', output: ran.result } : { state: 'waiting' }
  } catch (error) {
    if (!(error instanceof InteractionRefused)) throw error
    return { state: 'not_done', text: JSON.stringify(outputOf(error)) }
  }
}
