import { aiSdk, isNotDone } from '@holdpoint/server/ai-sdk'
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

/** One turn, from the last message to the model's last word. It goes on when the page is left. */
export async function turn(chat: Chat): Promise<ReadableStream<UIMessageChunk>> {
  const messages = messagesOf(chat.id)
  const hp = aiSdk(holdpoint, { sessionId: chat.id, userId: chat.userId, messages, mode: 'inline' })
  const result = streamText({
    model,
    instructions,
    messages: await convertToModelMessages(await hp.declineWaiting(), { ignoreIncompleteToolCalls: true }),
    tools: hp.tools(tools),
    toolApproval: hp.toolApproval,
    stopWhen: [stepCountIs(8), personWentOn],
  })
  const stream = toUIMessageStream({
    stream: result.stream,
    originalMessages: messages,
    generateMessageId: generateId,
    onError: () => 'That did not work. Try again.',
  })
  const [toPage, toDisk] = hp.uiStream(stream).tee()
  void record({ chat, runId: hp.runId, stream: toDisk, continues: messages.at(-1) })
  return toPage
}

/** A new message came while a tool waited: this turn has nothing to say any more. */
const personWentOn: StopCondition<ToolSet> = ({ steps }) =>
  steps.at(-1)?.toolResults.some(({ output }) => isNotDone(output) && output.holdpoint === 'superseded') ?? false

/** For turns that no page listens to. Recording reads on. */
export function leave(stream: ReadableStream<UIMessageChunk>): void {
  void stream.cancel()
}
