import type { BridgeCall, BridgeTool, Files } from '@holdpoint/conformance/bridge'
import { agentTool } from '@holdpoint/server/openai-agents'
import { type Model, setTracingDisabled } from '@openai/agents'
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents/testing'

// No tracing service is reachable in tests.
setTracingDisabled(true)

/** A model that makes these calls for a message of the user, and repeats the last result when they are done. */
export function modelCalling(calls: readonly BridgeCall[]): ScriptedModel & Model {
  const model = new ScriptedModel()
  for (let answer = 0; answer < 4; answer++) {
    model.enqueue(
      modelResponder(({ request: { input } }) => {
        const last = Array.isArray(input) ? input.at(-1) : undefined
        const ran = last?.type === 'function_call_result'
        if (ran || calls.length === 0) return [assistantMessage('done')]
        return calls.map(({ toolCallId: callId, toolName, input }) => functionCall(toolName, { ...input }, { callId }))
      }),
    )
  }
  return model
}

/** The tools of the suite as tools of the SDK. */
export const toolsOf = (tools: readonly BridgeTool[]) =>
  tools.map(({ name, description, input, approve, before, execute }) =>
    agentTool<Files, unknown>({
      ...{ name, description, parameters: input },
      ...(approve && { approve: (given) => approve(given) }),
      ...(before && { before: (given, ctx) => before(given, ctx) }),
      execute: (given, ctx) => execute(given, ctx, ctx.before),
    }),
  )
