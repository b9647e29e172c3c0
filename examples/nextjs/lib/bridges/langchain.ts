import { holdpointMiddleware, langchainTool } from '@holdpoint/server/langchain'
import { MemorySaver } from '@langchain/langgraph'
import { AIMessage, createAgent, fakeModel, HumanMessage, ToolMessage } from 'langchain'
import { once } from '../once.ts'
import { calls, input, tools } from './tools.ts'
import { callIdOf, type RunTurn } from './turn.ts'

const made = Object.entries(tools).map(([name, { description, approve, before, run }]) =>
  langchainTool({
    ...{ name, description, schema: input },
    ...(approve && { approve }),
    before: (given, ctx) => before?.(given, ctx),
    execute: (given, ctx) => run(given, ctx.before),
  }),
)

/** Each step of the model: the calls for a message of the user, and nothing after their results. */
function model() {
  const fake = fakeModel()
  for (let step = 0; step < 8; step++) {
    fake.respond((messages) =>
      messages.at(-1)?.getType() === 'human'
        ? new AIMessage({
            content: '',
            tool_calls: calls.map(({ name, args }) => ({ id: callIdOf('langchain', name), name, args })),
          })
        : new AIMessage('Done.'),
    )
  }
  return fake
}

/** The thread stops at an interrupt. The same call resumes it. */
export const langchainTurn: RunTurn = async ({ holdpoint, sessionId, userId, runId }) => {
  const checkpointer = once('bridges-checkpointer', () => new MemorySaver())
  const owner = { userId, sessionId }
  const middleware = [holdpointMiddleware(holdpoint, { owner })]
  const agent = createAgent({ model: model(), tools: made, checkpointer, middleware })
  const thread = { configurable: { thread_id: runId } }
  const { values } = await agent.graph.getState(thread)
  const begins = { messages: [new HumanMessage({ id: runId, content: 'Clean up.' })] }
  const { messages } = await agent.invoke('messages' in values ? (null as never) : begins, thread)
  return Object.fromEntries(messages.filter(ToolMessage.isInstance).map((one) => [one.name, String(one.content)]))
}
