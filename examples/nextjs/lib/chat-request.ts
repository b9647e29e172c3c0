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

/** What the page sends (components/use-saved-chat.ts), or `{ sessionId, message: 'delete' }` from a script. */
const body = z.union([
  z.object({ sessionId: id, messages: z.array(uiMessage).min(1).max(50) }),
  z.object({ sessionId: id, message: text }),
])

export interface ChatRequest {
  sessionId: string
  /** Everything that the page does not know to have arrived, oldest first. */
  messages: UIMessage[]
  /** The caller reads the session's event stream, not ours. */
  plain: boolean
}

/** Only what a person typed is taken from a browser; all that went before is ours. */
export async function readChatRequest(request: Request): Promise<ChatRequest | null> {
  const parsed = body.safeParse(await request.json().catch(() => null))
  if (!parsed.success) return null
  const { sessionId } = parsed.data
  if ('messages' in parsed.data) return { sessionId, messages: parsed.data.messages, plain: false }
  const typed: UIMessage = { id: generateId(), role: 'user', parts: [{ type: 'text', text: parsed.data.message }] }
  return { sessionId, messages: [typed], plain: true }
}
