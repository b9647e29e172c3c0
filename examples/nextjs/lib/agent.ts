import type { FollowUpDelivery, ToolResultDelivery } from '@holdpoint/server'
import { createUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { addMessage, type Chat, findCall, mayRead, messagesOf, saveMessage, textOf } from './chats.ts'
import { holdpoint } from './holdpoint.ts'
import { LATE } from './model/scripted.ts'
import { leave, resume, turn } from './turn.ts'

/**
 * Returns the messages of a chat; null if it belongs to another user. A new chat gets its session here, so that its
 * page can listen.
 */
export async function openChat(chat: Chat): Promise<UIMessage[] | null> {
  if (!mayRead(chat.id, chat.userId)) return null
  const messages = messagesOf(chat.id)
  if (messages.length > 0) return messages
  const opened = holdpoint.session(chat.id, chat).emit({ type: 'chat_opened' })
  return await opened.then(
    () => messages,
    () => null,
  )
}

/**
 * Accepts messages and begins a turn for the last one. A page sends a message again until it is acknowledged: a
 * repeated message begins no second turn. Rejects for a chat of another user, before anything is written.
 */
export async function answer(chat: Chat, sent: readonly UIMessage[]): Promise<ReadableStream<UIMessageChunk>> {
  const session = holdpoint.session(chat.id, chat)
  await session.open()
  const fresh = sent.filter((message) => addMessage(chat, message))
  const last = fresh.pop()
  if (!last) return createUIMessageStream({ execute: () => {} })
  for (const message of fresh) await session.emit({ type: 'user_message', runId: message.id, text: textOf(message) })
  return await turn(chat, await session.turn({ runId: last.id, message: textOf(last) }))
}

/** Handles a tool's result without a waiting request: it goes into the message, and the model continues from there. */
export async function continueWith({ sessionId, userId, toolCallId, status, result }: ToolResultDelivery) {
  const chat = { id: sessionId, userId }
  const found = findCall(sessionId, toolCallId)
  // Delivered at least once: the second time it is there already.
  if (!found || found.part.state.startsWith('output')) return
  const { message, part } = found
  const output = status === 'refused' ? { holdpoint: result.refused, message: 'Nothing was done.' } : result
  const done = { ...part, state: 'output-available', output } as typeof part
  const next = { ...message, parts: message.parts.map((one) => (one === part ? done : one)) }
  saveMessage(chat, next)
  const isLast = messagesOf(sessionId).at(-1)?.id === message.id
  const waits = next.parts.some((one) => 'toolCallId' in one && !one.state.startsWith('output'))
  if (isLast && !waits) leave(await turn(chat, await resume(chat)))
  else await holdpoint.session(sessionId, chat).emit({ type: 'chat_updated' })
}

/**
 * Handles an answer that arrived after its tool had continued: it becomes a message of its own, and starts a new turn.
 */
export async function followUp({ sessionId, userId, deliveryId, message }: FollowUpDelivery) {
  const chat = { id: sessionId, userId }
  const parts: UIMessage['parts'] = [{ type: 'text', text: `${LATE}${message}` }]
  leave(await answer(chat, [{ id: deliveryId, role: 'user', metadata: { late: true }, parts }]))
}
