import { aiSdk } from '@holdpoint/server/ai-sdk'
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  stepCountIs,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import { holdpoint } from '@/lib/holdpoint.ts'
import { authenticate } from '@/lib/login.ts'
import { model } from '@/lib/model/index.ts'
import { tools } from '@/lib/tools/index.ts'

export async function POST(request: Request): Promise<Response> {
  const who = await authenticate(request)
  if (!who) return new Response('Sign in first.', { status: 401 })
  const { id, messages } = (await request.json()) as { id: string; messages: UIMessage[] }
  const hp = aiSdk(holdpoint, { sessionId: id, userId: who.userId, messages, mode: 'suspend' })
  const result = streamText({
    model,
    messages: await convertToModelMessages(await hp.declineWaiting()),
    tools: hp.tools(tools),
    toolApproval: hp.toolApproval,
    stopWhen: stepCountIs(8),
  })
  void result.consumeStream()
  const stream = hp.uiStream(toUIMessageStream({ stream: result.stream, originalMessages: messages }))
  return createUIMessageStreamResponse({ stream })
}
