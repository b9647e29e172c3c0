import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  stepCountIs,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import { authenticate } from '@/lib/login.ts'
import { model } from '@/lib/model/index.ts'
import { tools } from '@/lib/plain-tools.ts'

export async function POST(request: Request): Promise<Response> {
  const who = await authenticate(request)
  if (!who) return new Response('Sign in first.', { status: 401 })
  const { messages } = (await request.json()) as { messages: UIMessage[] }
  const result = streamText({
    model,
    messages: await convertToModelMessages(messages),
    tools,
    toolApproval: { delete_files: 'user-approval' },
    stopWhen: stepCountIs(8),
  })
  const stream = toUIMessageStream({ stream: result.stream, originalMessages: messages })
  return createUIMessageStreamResponse({ stream })
}
