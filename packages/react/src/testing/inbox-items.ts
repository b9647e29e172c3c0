import type { Transport } from '@holdpoint/core'
import type { InboxPage, InteractionRequestEvent, SendResult, TransportContext } from '@holdpoint/core/internal'
import type { ClientMessage } from '@holdpoint/core/protocol'

import { approval, connect, form, NOW } from './interactions.ts'

type Items = InboxPage['items']
const at = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()

/** Questions of several agents and chats: 12 of each 30 can be approved together. */
export function inboxItems(count: number): Items {
  return Array.from({ length: count }, (_, n): Items[number] => {
    const sessionId = `chat-${n % 7}`
    const ids = { interactionId: `q${n}`, toolCallId: `call-${n}` }
    const timestamp = at(n * 3 + 1)
    const common: Partial<InteractionRequestEvent> = {
      timestamp,
      expiresAt: new Date(NOW + 3 * 86_400_000).toISOString(),
    }
    if (n % 5 < 2) {
      const request = {
        ...common,
        prompt: `Read the file reports/${n}.csv?`,
        requester: { name: 'Research agent' },
        labels: { approve: 'Read it', deny: 'Skip it' },
        ...{ args: { path: `reports/${n}.csv` }, risk: 'low' as const },
      }
      return { sessionId, interaction: { request: approval({ ...ids, toolName: 'read_file', request }).request } }
    }
    if (n % 5 === 2) {
      const request = {
        ...common,
        prompt: `Delete the table orders_${n}?`,
        requester: { name: 'Database agent' },
        labels: { approve: 'Delete the table', deny: 'Keep the table' },
        ...{ args: { table: `orders_${n}` }, risk: 'high' as const },
      }
      const due = { expiresAt: new Date(NOW + (n + 5) * 60_000).toISOString() }
      return {
        sessionId,
        interaction: {
          request: approval({ ...ids, toolName: 'delete_table', request: { ...request, ...due } }).request,
        },
      }
    }
    if (n % 5 === 3) return { sessionId, interaction: { request: form({ ...ids, request: common }).request } }
    return { sessionId, interaction: { request: connect({ ...ids, request: { timestamp } }).request } }
  })
}

/** Approvals that ada has answered, newest first; the first was denied, the others approved. */
export function settledItems(count: number): Items {
  return Array.from({ length: count }, (_, n): Items[number] => {
    const interactionId = `old${n}`
    const timestamp = new Date(NOW - (n + 2) * 3_600_000).toISOString()
    const request = {
      ...{ timestamp, prompt: `Archive folder ${n}?`, args: { folder: n } },
      labels: { approve: 'Archive it', deny: 'Leave it' },
      ...(n === 3 && { risk: 'high' as const }),
    }
    const ids = { interactionId, toolCallId: interactionId, toolName: 'archive_folder' }
    const asked = approval({ ...ids, request }).request
    const response = {
      ...{ type: 'interaction_response' as const, timestamp, interactionId, toolCallId: interactionId },
      ...{ runId: asked.runId, toolName: asked.toolName, responseId: `answer${n}` },
      ...{ action: n === 0 ? ('deny' as const) : ('approve' as const), respondedBy: { userId: 'ada' } },
    }
    const you = { userId: 'ada', can: ['read' as const, 'respond' as const] }
    return { sessionId: `chat-${n % 2}`, interaction: { request: asked, response: response as never }, you }
  })
}

/** Records what was sent, and to which session. The argument returns the result for each question. */
export function answersOnly(reply: (interactionId: string) => SendResult | undefined = () => undefined) {
  const sent: { sessionId: string; message: ClientMessage }[] = []
  const transport: Transport = {
    name: 'test',
    connect: () => {
      throw new Error('An inbox streams nothing')
    },
    async send(context: TransportContext, message): Promise<SendResult> {
      sent.push({ sessionId: context.sessionId, message })
      const id = (message as { interactionId?: string }).interactionId ?? ''
      return reply(id) ?? { status: 200, body: { status: 'accepted' } }
    },
    snapshot: async () => ({ status: 404, body: {} }),
    request: async () => ({ status: 404, body: {} }),
  }
  return { sent, transport }
}
