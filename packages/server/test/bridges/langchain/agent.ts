import type { BridgeCall, BridgeTool, Files } from '@holdpoint/conformance/bridge'
import type { Holdpoint } from '@holdpoint/server'
import { holdpointMiddleware, langchainTool } from '@holdpoint/server/langchain'
import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph'
import { AIMessage, createAgent, type DynamicStructuredTool, fakeModel, type HumanMessage } from 'langchain'
import type { HoldpointMiddlewareOptions } from '../../../src/bridges/langchain/middleware.ts'

export const THREAD = 'thread-1'

/** The data of a checkpointer, as JSON. */
export interface Saved {
  /** The ids of the interrupts at which the thread stopped. */
  interrupts: string[]
  storage: unknown
  writes: unknown
}

/** A model that makes these calls for a message of the user, and repeats the last result when they are done. */
export function modelCalling(calls: readonly BridgeCall[]) {
  const model = fakeModel()
  for (let answer = 0; answer < 8; answer++) {
    model.respond((messages) => {
      const last = messages.at(-1)
      const tool_calls = calls.map(({ toolCallId: id, toolName: name, input }) => ({ id, name, args: { ...input } }))
      return last?.getType() === 'human' && calls.length > 0
        ? new AIMessage({ content: '', tool_calls })
        : new AIMessage(String((last as HumanMessage).content))
    })
  }
  return model
}

export function agentOf(
  holdpoint: Holdpoint,
  options: {
    tools: readonly DynamicStructuredTool[]
    userId: string
    saver: BaseCheckpointSaver
    /** @default THREAD */
    sessionId?: string
    model: ReturnType<typeof fakeModel>
    approve?: NonNullable<HoldpointMiddlewareOptions['approve']>
  },
) {
  const { tools, userId, sessionId = THREAD, saver, model, approve } = options
  const middleware = holdpointMiddleware(holdpoint, { owner: { userId, sessionId }, ...(approve && { approve }) })
  return createAgent({ model, tools: [...tools], checkpointer: saver, middleware: [middleware] })
}

/** The tools of the suite as tools of LangChain. */
export const toolsOf = (tools: readonly BridgeTool[]): DynamicStructuredTool[] =>
  tools.map(({ name, description, input, approve, before, execute }) =>
    langchainTool<Files, unknown, unknown>({
      ...{ name, description, schema: input },
      ...(approve && { approve: (given) => approve(given) }),
      ...(before && { before: (given, ctx) => before(given, ctx) }),
      execute: async (given, ctx) => JSON.stringify(await execute(given, ctx, ctx.before)),
    }),
  )

export function stateOfSaver(saver: MemorySaver, interrupts: string[]): Saved {
  const text = (_key: string, value: unknown) =>
    value instanceof Uint8Array ? { bytes: new TextDecoder().decode(value) } : value
  return JSON.parse(JSON.stringify({ interrupts, storage: saver.storage, writes: saver.writes }, text))
}

/** A checkpointer with this content, as another process would open it. */
export function saverOf(saved?: Saved): MemorySaver {
  const saver = new MemorySaver()
  if (!saved) return saver
  const bytes = (_key: string, value: unknown) =>
    typeof value === 'object' && value !== null && 'bytes' in value
      ? new TextEncoder().encode(String(value.bytes))
      : value
  const { storage, writes } = JSON.parse(JSON.stringify(saved), bytes)
  return Object.assign(saver, { storage, writes })
}
