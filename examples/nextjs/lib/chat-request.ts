import { generateId, type UIMessage } from 'ai'
import { z } from 'zod'

const id = z.string().min(1).max(128)
const text = z.string().trim().min(1).max(20_000)
const uiMessage = z.object({
  id,
  role: z.literal('user'),
  parts: z
    .array(z.object({ type: z.literal('text'), text }))
    .min(1)
    .max(1),
})

/** What `useChat` sends (see prepareSendMessagesRequest), or `{ sessionId, message: 'delete' }` from a script. */
const body = z.object({ sessionId: id, message: z.union([text, uiMessage]) })

export interface ChatRequest {
  sessionId: string
  message: UIMessage
  /** The caller reads the session's event stream, not ours. */
  plain: boolean
}

/** Only what a person typed is taken from a browser; all that went before is ours. */
export async function readChatRequest(request: Request): Promise<ChatRequest | null> {
  const parsed = body.safeParse(await request.json().catch(() => null))
  if (!parsed.success) return null
  const { sessionId, message } = parsed.data
  if (typeof message !== 'string') return { sessionId, message, plain: false }
  return {
    sessionId,
    message: { id: generateId(), role: 'user', parts: [{ type: 'text', text: message }] },
    plain: true,
  }
}
