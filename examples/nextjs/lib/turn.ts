import { isHoldpointError } from '@holdpoint/core'
import type { Turn } from '@holdpoint/server'
import { aiSdk, isToolNotRun } from '@holdpoint/server/ai-sdk'
import {
  convertToModelMessages,
  generateId,
  type StopCondition,
  stepCountIs,
  streamText,
  type ToolSet,
  toUIMessageStream,
  type UIMessageChunk,
} from 'ai'
import { type Chat, messagesOf } from './chats.ts'
import { holdpoint } from './holdpoint.ts'
import { model } from './model/index.ts'
import { record } from './record.ts'
import { tools } from './tools/index.ts'

const instructions =
  'You are a helpful assistant. Use your tools; they ask the user by themselves, so never ask for permission in text.'

/**
 * One turn, from the last message to the model's last word. It continues when the page is left, and is aborted by a
 * newer message, in whatever process that arrives.
 */
export async function turn(chat: Chat, current: Turn): Promise<ReadableStream<UIMessageChunk>> {
  const { runId, signal } = current
  const messages = messagesOf(chat.id)
  const hp = aiSdk(holdpoint, { sessionId: chat.id, userId: chat.userId, runId, messages, mode: 'inline' })
  const result = streamText({
    model,
    instructions,
    messages: await convertToModelMessages(await hp.declineWaiting(), { ignoreIncompleteToolCalls: true }),
    tools: hp.tools(tools),
    toolApproval: hp.toolApproval,
    abortSignal: signal,
    stopWhen: [stepCountIs(8), personWentOn],
  })
  const stream = toUIMessageStream({
    stream: result.stream,
    originalMessages: messages,
    generateMessageId: generateId,
    onError: () => 'That did not work. Try again.',
  })
  const [toPage, toDisk] = hp.uiStream(stream).tee()
  void record({ chat, turn: current, stream: toDisk, continues: messages.at(-1) })
  return toPage
}

/** A new message arrived while a tool waited, so this turn ends. */
const personWentOn: StopCondition<ToolSet> = ({ steps }) =>
  steps.at(-1)?.toolResults.some(({ output }) => isToolNotRun(output) && output.holdpoint === 'superseded') ?? false

/** The turn of the last message again, after a result that its tool brought late. */
export async function resume(chat: Chat): Promise<Turn> {
  const runId = messagesOf(chat.id).findLast(({ role }) => role === 'user')?.id ?? generateId()
  const session = holdpoint.session(chat.id, chat)
  return await session.turn({ runId }).catch((error) => {
    // The person stopped that run. Its tool's result is still reported, in a run of its own.
    if (isHoldpointError(error, 'run_cancelled')) return session.turn({ runId: generateId() })
    throw error
  })
}

/** For turns that no page listens to. Recording reads on. */
export function leave(stream: ReadableStream<UIMessageChunk>): void {
  void stream.cancel()
}
