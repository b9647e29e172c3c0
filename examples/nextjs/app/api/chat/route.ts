import { isHoldpointError } from '@holdpoint/core'
import { createUIMessageStreamResponse } from 'ai'
import { answer } from '@/lib/agent.ts'
import { readChatRequest } from '@/lib/chat-request.ts'
import { mayRead, messagesOf } from '@/lib/chats.ts'
import { authenticate } from '@/lib/login.ts'
import { leave } from '@/lib/turn.ts'

/** Messages in, the agent's answer to the last one out: as a stream for `useChat`, as "started" for a script. */
export async function POST(request: Request): Promise<Response> {
  const who = await authenticate(request)
  if (!who) return refuse(401, 'Sign in first.')
  const asked = await readChatRequest(request)
  if (!asked) return refuse(400, 'A chat needs a sessionId and a message.')
  const { sessionId, messages, plain } = asked
  if (!mayRead(sessionId, who.userId)) return refuse(404, 'There is no such chat.')
  try {
    const stream = await answer({ id: sessionId, userId: who.userId }, messages)
    if (!plain) return createUIMessageStreamResponse({ stream })
    leave(stream)
    return Response.json({ status: 'started' }, { status: 202 })
  } catch (error) {
    if (!isHoldpointError(error)) throw error
    return refuse(404, 'There is no such chat.')
  }
}

/** Returns the current messages, for a page that received a notification. */
export async function GET(request: Request): Promise<Response> {
  const who = await authenticate(request)
  const sessionId = new URL(request.url).searchParams.get('sessionId') ?? ''
  if (!who) return refuse(401, 'Sign in first.')
  if (!mayRead(sessionId, who.userId)) return refuse(404, 'There is no such chat.')
  return Response.json(messagesOf(sessionId))
}

const refuse = (status: number, error: string) => Response.json({ error }, { status })
