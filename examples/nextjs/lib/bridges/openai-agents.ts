import { agentTool, openAiAgents } from '@holdpoint/server/openai-agents'
import { Agent, run, setTracingDisabled } from '@openai/agents'
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents/testing'
import { calls, input, tools } from './tools.ts'
import { callIdOf, type RunTurn } from './turn.ts'

const made = Object.entries(tools).map(([name, { description, approve, before, run }]) =>
  agentTool({
    ...{ name, description, parameters: input },
    ...(approve && { approve }),
    before: (given, ctx) => before?.(given, ctx),
    execute: (given, ctx) => run(given, ctx.before),
  }),
)

function model() {
  const scripted = new ScriptedModel()
  for (let step = 0; step < 4; step++) {
    scripted.enqueue(
      modelResponder(({ request: { input: items } }) => {
        const last = Array.isArray(items) ? items.at(-1) : undefined
        if (last?.type === 'function_call_result') return [assistantMessage('Done.')]
        return calls.map(({ name, args }) => functionCall(name, args, { callId: callIdOf('openai-agents', name) }))
      }),
    )
  }
  return scripted
}

/** The run ends at a question, and its state is stored. The same call resumes it. */
export const openAiTurn: RunTurn = async ({ holdpoint, sessionId, userId, runId }) => {
  setTracingDisabled(true)
  const hp = openAiAgents(holdpoint, { sessionId, userId, runId })
  const agent = new Agent({ name: 'Cleaner', model: model(), tools: hp.tools(made) })
  const result = await run(agent, await hp.resumeOr(agent, 'Clean up.'))
  await hp.suspended(result)
  return Object.fromEntries(
    result.history.flatMap((item) => (item.type === 'function_call_result' ? [[item.name, textOf(item.output)]] : [])),
  )
}

const textOf = (output: unknown) =>
  typeof output === 'string' ? output : String((output as { text?: unknown }).text ?? JSON.stringify(output))
