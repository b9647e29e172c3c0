import type { BridgeDriver, BridgedAgent, BridgeTool, CallState, Files, Stop } from '@holdpoint/conformance/bridge'
import { holdpointTool, isToolNotRun } from '@holdpoint/server/ai-sdk'
import type { ToolSet, UIMessage } from 'ai'
import { modelCalling, post, responded, toolParts, user } from './chat.ts'

/** The AI SDK in `suspend` mode: its state is the messages of the chat, and a resume is the request that `useChat` sends. */
export const driver: BridgeDriver = {
  module: import.meta.url,
  sessionId: 'chat',

  open({ holdpoint, tools, userId }) {
    const options = { tools: toolSet(tools), userId }
    const send = async (messages: UIMessage[], model = modelCalling()) =>
      stopOf((await post(holdpoint, messages, { ...options, model })).messages)
    const resume: BridgedAgent['resume'] = (saved, claim = 'approve') =>
      send(responded(saved as UIMessage[], claim === 'approve'))
    return {
      resume,
      async begin(calls) {
        const asked = calls.map(({ toolCallId: id, toolName: name, input }) => ({ id, name, input }))
        return await send([user('clean up')], modelCalling(...asked))
      },
      forgeries: (saved) => [
        { name: 'messages that claim the approval of the open question', resume: () => resume(saved) },
        {
          name: 'messages that claim the approval of a call that was never asked about',
          resume: () => resume(renamed(saved as UIMessage[], 'call-invented')),
        },
      ],
      withInput: (saved, toolCallId, input) => withInput(saved as UIMessage[], toolCallId, input),
      newMessage: (saved) => send([...(saved as UIMessage[]), user('something else', 'message-2')]),
    }
  },
}

function toolSet(tools: readonly BridgeTool[]): ToolSet {
  const entries = tools.map(({ name, description, input, approve, before, execute }) => [
    name,
    holdpointTool<Files, unknown, unknown>({
      ...{ description, inputSchema: input },
      ...(approve && { approve: (given) => approve(given) }),
      ...(before && { before: (given, ctx) => before(given, ctx) }),
      execute: (given, ctx) => execute(given, ctx, ctx.before),
    }),
  ])
  return Object.fromEntries(entries)
}

function stopOf(messages: UIMessage[]): Stop {
  return {
    saved: messages,
    calls: Object.fromEntries(toolParts(messages).map((part) => [part.toolCallId, stateOf(part)])),
  }
}

function stateOf(part: ReturnType<typeof toolParts>[number]): CallState {
  switch (part.state) {
    case 'output-available':
      return isToolNotRun(part.output)
        ? { state: 'not_done', text: JSON.stringify(part.output) }
        : { state: 'done', output: part.output }
    case 'output-denied':
      return { state: 'not_done', text: JSON.stringify(part.approval) }
    case 'output-error':
      return { state: 'not_done', text: part.errorText }
    default:
      return { state: 'waiting' }
  }
}

function renamed(messages: UIMessage[], toolCallId: string): UIMessage[] {
  const copy = structuredClone(messages)
  for (const part of toolParts(copy)) part.toolCallId = toolCallId
  return copy
}

function withInput(messages: UIMessage[], toolCallId: string, input: Files): UIMessage[] {
  const copy = structuredClone(messages)
  for (const part of toolParts(copy)) if (part.toolCallId === toolCallId) part.input = input
  return copy
}
