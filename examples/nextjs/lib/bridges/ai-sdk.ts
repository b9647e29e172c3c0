import { aiSdk, holdpointTool } from '@holdpoint/server/ai-sdk'
import { generateText } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import type { QuestionName } from './names.ts'
import { calls, input, tools } from './tools.ts'
import { callIdOf, type RunTurn } from './turn.ts'

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

const model = () =>
  new MockLanguageModelV4({
    doGenerate: async () => ({
      content: calls.map(({ name, args }) => ({
        type: 'tool-call' as const,
        toolCallId: callIdOf('ai-sdk', name),
        toolName: name,
        input: JSON.stringify(args),
      })),
      finishReason: { unified: 'tool-calls' as const, raw: undefined },
      usage,
      warnings: [],
    }),
  })

const made = Object.fromEntries(
  Object.entries(tools).map(([name, { description, approve, before, run }]) => [
    name,
    holdpointTool({
      ...{ description, inputSchema: input },
      ...(approve && { approve }),
      before: (given, ctx) => before?.(given, ctx),
      execute: (given, ctx) => run(given, ctx.before),
    }),
  ]),
)

/** The AI SDK waits in the process: `inline`. */
export const aiSdkTurn: RunTurn = async ({ holdpoint, sessionId, userId, runId }) => {
  const hp = aiSdk(holdpoint, { sessionId, userId, runId, mode: 'inline' })
  const { toolResults } = await generateText({
    model: model(),
    prompt: 'Clean up.',
    tools: hp.tools(made),
    toolApproval: hp.toolApproval,
  })
  return Object.fromEntries(toolResults.map(({ toolName, output }) => [toolName as QuestionName, textOf(output)]))
}

const textOf = (output: unknown) => (typeof output === 'string' ? output : JSON.stringify(output))
