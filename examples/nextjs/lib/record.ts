import { isHoldpointError } from '@holdpoint/core'
import type { Turn } from '@holdpoint/server'
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { type Chat, saveMessage } from './chats.ts'
import { holdpoint } from './holdpoint.ts'

interface Recording {
  chat: Chat
  turn: Turn
  stream: ReadableStream<UIMessageChunk>
  /** The previous message, if the turn continues it after a tool's result. */
  continues: UIMessage | undefined
}

/** Writes the agent's message down as it grows, and tells the other tabs through the session's log. */
export async function record({ chat, turn, stream, continues }: Recording): Promise<void> {
  const session = holdpoint.session(chat.id, chat)
  const { runId, signal } = turn
  const message = continues?.role === 'assistant' ? structuredClone(continues) : undefined
  let said = message ? textsOf(message).length : 0
  let before = ''
  for await (const now of readUIMessageStream({ stream, ...(message && { message }) })) {
    const state = stateOf(now)
    if (state === before) continue
    // A turn that was overtaken before it said anything leaves no empty message behind the newer one.
    if (before === '' && signal.aborted) break
    before = state
    saveMessage(chat, now)
    const texts = textsOf(now).slice(said)
    said += texts.length
    for (const text of texts) await session.emit({ type: 'content', runId, text })
    if (texts.length === 0) await session.emit({ type: 'chat_updated', runId })
  }
  await turn.done().catch(async (error) => {
    if (!isHoldpointError(error, 'turn_superseded')) throw error
    await session.emit({ type: 'chat_updated', runId })
  })
}

const stateOf = ({ parts }: UIMessage) =>
  parts.map((part) => `${part.type} ${'state' in part ? part.state : ''}`).join('\n')

/** Returns the completed texts. */
const textsOf = ({ parts }: UIMessage) =>
  parts.flatMap((part) => (part.type === 'text' && part.state === 'done' ? [part.text] : []))
