import type { Holdpoint } from '@holdpoint/server'
import { aiSdk } from '@holdpoint/server/ai-sdk'
import {
  convertToModelMessages,
  type LanguageModel,
  readUIMessageStream,
  stepCountIs,
  streamText,
  type ToolSet,
  toUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
} from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import type { AiSdkOptions } from '../../../src/bridges/ai-sdk/ai-sdk.ts'

export interface Call {
  id?: string
  name: string
  input: unknown
}

type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

/** A model that calls these tools when it is spoken to, and says what it got when they are done. */
export function modelCalling(...calls: Call[]): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doStream: async ({ prompt }) => {
      const last = prompt.at(-1)
      const asked = last?.role === 'user'
      const text = JSON.stringify(last?.content)
      return {
        stream: convertArrayToReadableStream<StreamPart>(
          asked
            ? [
                ...calls.map(({ id = 'call-1', name, input }) => ({
                  type: 'tool-call' as const,
                  toolCallId: id,
                  toolName: name,
                  input: JSON.stringify(input),
                })),
                { type: 'finish' as const, finishReason: { unified: 'tool-calls' as const, raw: undefined }, usage },
              ]
            : [
                { type: 'text-start' as const, id: 't' },
                { type: 'text-delta' as const, id: 't', delta: text },
                { type: 'text-end' as const, id: 't' },
                { type: 'finish' as const, finishReason: { unified: 'stop' as const, raw: undefined }, usage },
              ],
        ),
      }
    },
  })
}

export const user = (text: string, id = 'message-1'): UIMessage => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
})

export interface Posted {
  chunks: UIMessageChunk[]
  /** The conversation as `useChat` would have it now. */
  messages: UIMessage[]
  error: unknown
}

/** One request of a chat app, as its route handles it, and what the browser makes of the stream. */
export async function post(
  holdpoint: Holdpoint,
  messages: UIMessage[],
  options: Partial<AiSdkOptions> & {
    model: LanguageModel
    tools: ToolSet
    signal?: AbortSignal
    onChunk?: (chunk: UIMessageChunk) => void
  },
): Promise<Posted> {
  const { model, tools, signal, onChunk, ...rest } = options
  const hp = aiSdk(holdpoint, { sessionId: 'chat', userId: 'ada', mode: 'suspend', messages, ...rest })
  const result = streamText({
    model,
    messages: await convertToModelMessages(await hp.declineWaiting()),
    tools: hp.tools(tools),
    toolApproval: hp.toolApproval,
    stopWhen: stepCountIs(3),
    onError: () => {},
    ...(signal && { abortSignal: signal }),
  })
  void result.consumeStream({ onError: () => {} })
  const chunks: UIMessageChunk[] = []
  let error: unknown
  const stream = hp.uiStream(
    toUIMessageStream({
      stream: result.stream,
      originalMessages: messages,
      onError: (thrown) => {
        error = thrown
        return thrown instanceof Error ? thrown.message : String(thrown)
      },
    }),
  )
  const watched = stream.pipeThrough(
    new TransformStream<UIMessageChunk, UIMessageChunk>({
      transform(chunk, controller) {
        // The reader keeps the chunk as its part, and changes it.
        chunks.push(structuredClone(chunk))
        onChunk?.(chunk)
        controller.enqueue(chunk)
      },
    }),
  )
  const before = messages.at(-1)
  let answer: UIMessage | undefined
  const continued = before?.role === 'assistant' ? { message: structuredClone(before) } : {}
  for await (const message of readUIMessageStream({ stream: watched, ...continued })) answer = message
  const kept = before?.role === 'assistant' ? messages.slice(0, -1) : messages
  return { chunks, messages: answer ? [...kept, answer] : messages, error }
}

type ToolPart = Extract<UIMessage['parts'][number], { toolCallId: string }>

export function toolParts(messages: readonly UIMessage[]): ToolPart[] {
  return messages.flatMap(({ parts }) => parts.filter((part): part is ToolPart => 'toolCallId' in part))
}

export function toolPart(messages: readonly UIMessage[]): ToolPart {
  const part = toolParts(messages).at(-1)
  if (!part) throw new Error('no tool part')
  return part
}

/** The messages after `addToolApprovalResponse` of `useChat`. */
export function responded(messages: readonly UIMessage[], approved: boolean): UIMessage[] {
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      'toolCallId' in part && part.state === 'approval-requested'
        ? { ...part, state: 'approval-responded' as const, approval: { id: part.approval.id, approved } }
        : part,
    ) as UIMessage['parts'],
  }))
}
