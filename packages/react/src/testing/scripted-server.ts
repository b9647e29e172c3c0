import type { HoldpointEvent } from '@holdpoint/core'
import type {
  AuthNeededEvent,
  MemoryCall,
  MemoryPeer,
  MemorySink,
  SendResult,
  ToolInteractionResponseMessage,
} from '@holdpoint/core/internal'
import type { ClientMessage } from '@holdpoint/core/protocol'

import { NOW } from './interactions.ts'

type Emit = (event: HoldpointEvent) => void

export interface Script {
  /** The log before the first connection. */
  events: readonly HoldpointEvent[]
  /** Emits the consequences of an accepted answer. A returned result refuses the answer. */
  onAnswer?: (message: ToolInteractionResponseMessage, emit: Emit) => SendResult | undefined
}

const envelope = () => ({ timestamp: new Date(NOW + 60_000).toISOString(), sessionId: 'session-1', runId: 'run-1' })

/**
 * A server of one session in this page: it keeps a log, accepts answers and follows a script. For stories and tests of
 * the real client without a network.
 */
export function scriptedServer({ events, onAnswer }: Script): MemoryPeer & { emit: Emit; messages: ClientMessage[] } {
  const log: { cursor: string; event: HoldpointEvent }[] = []
  const readers = new Set<MemorySink>()
  const messages: ClientMessage[] = []
  const emit: Emit = (event) => {
    const placed = { cursor: `e1.${log.length + 1}.t`, event }
    log.push(placed)
    for (const reader of readers) reader.events([placed])
  }
  for (const event of events) emit(event)

  const find = (id: string) => log.map(({ event }) => event).find((event) => event.interactionId === id)
  const answer = (message: ToolInteractionResponseMessage): SendResult => {
    const refused = onAnswer?.(message, (event) => setTimeout(() => emit(event), 30))
    if (refused) return refused
    const { interactionId, action, approvalScope, input, args, reason, clientId } = message
    const given = { action, approvalScope, input, args, reason }
    emit({
      type: 'interaction_response',
      ...envelope(),
      interactionId,
      toolCallId: message.callId,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      respondedBy: { clientId },
    })
    return { status: 200, body: { status: 'accepted' } }
  }
  const connected = (message: Extract<ClientMessage, { type: 'submit_auth_result' }>): void => {
    const asked = log.findLast(({ event }) => event.type === 'auth_needed')?.event as AuthNeededEvent | undefined
    if (!asked) return
    const done = new Set(log.flatMap(({ event }) => (event.type === 'auth_progress' ? [event.connected] : [])))
    done.add(message.integration)
    const remaining = asked.integrations.filter((each) => !done.has(each))
    const about = { ...envelope(), interactionId: asked.interactionId }
    emit({ type: 'auth_progress', ...about, connected: message.integration, remaining })
    if (!remaining.length) emit({ type: 'auth_result', ...about, success: true, integrations: asked.integrations })
  }
  const take = (message: ClientMessage): SendResult => {
    messages.push(message)
    if (message.type === 'tool_interaction_response') return answer(message)
    if (message.type === 'submit_auth_result') connected(message)
    if (message.type === 'cancel_run') emit({ type: 'run_status', ...envelope(), status: 'cancelled' })
    if (message.type === 'extend_interaction') {
      const request = find(message.interactionId)
      const expiresAt = new Date(NOW + 900_000).toISOString()
      if (request) emit({ type: 'interaction_updated', ...envelope(), interactionId: message.interactionId, expiresAt })
    }
    const confirmed = { cancel_run: 'cancelled', extend_interaction: 'extended' }[message.type as string]
    return { status: 200, body: { status: confirmed ?? 'accepted' } }
  }
  return {
    emit,
    messages,
    subscribe({ cursor }, sink) {
      readers.add(sink)
      sink.open()
      const seen = Number(cursor?.split('.')[1] ?? 0)
      if (log.length > seen) sink.events(log.slice(seen))
      return () => readers.delete(sink)
    },
    call({ path, body }: MemoryCall): SendResult {
      if (path.endsWith('/messages')) return take(body as ClientMessage)
      if (path.endsWith('/connect')) {
        const { integration } = body as { integration: string }
        return {
          status: 200,
          body: { flowId: `flow-${integration}`, url: `https://accounts.${integration}.example/authorize` },
        }
      }
      if (path.endsWith('/events')) return { status: 404, body: {} }
      const you = { userId: 'ada', can: ['read', 'respond', 'cancel', 'extend', 'connect'] }
      return {
        status: 200,
        body: { cursor: 'e1.0.0', serverTime: new Date(NOW).toISOString(), you, runs: [], interactions: [] },
      }
    },
  }
}
