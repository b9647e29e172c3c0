import { initialState } from '../machine/state/initial.ts'
import { isOpen } from '../machine/state/interaction.ts'
import { transition } from '../machine/transition.ts'
import type { HoldpointEvent } from '../protocol/events.ts'
import type { ClientMessage } from '../protocol/index.ts'
import type { SessionSnapshot } from '../protocol/snapshot.ts'
import type { MemoryPeer, MemorySink } from '../transport/memory.ts'
import type { SendResult } from '../transport/types.ts'
import { compareCursors, parseCursor } from '../wire/events/cursor.ts'
import { cursorAt } from '../wire/events/tag.ts'

/** The session that `recordedPeer` plays: its events, and its responses. */
export interface RecordedPeerOptions {
  sessionId: string
  /** The events that have already happened. */
  events?: readonly HoldpointEvent[]
  userId?: string
  /** Milliseconds since the epoch, for what it writes itself; default the platform's clock. */
  now?: () => number
  /** Answers a message instead of the peer; undefined leaves it to the peer. */
  onMessage?: (message: ClientMessage) => SendResult | undefined
}

/** A session in memory for tests and stories: `emit` adds an event, `log` returns all events. */
export interface RecordedPeer extends MemoryPeer {
  readonly log: readonly HoldpointEvent[]
  /** Appends to the log and notifies all readers. Adds `timestamp` and `sessionId` if they are missing. */
  emit(...events: HoldpointEvent[]): void
}

/**
 * Creates a session without a server: a log in memory that can be read, extended and answered. The first answer to a
 * question wins; there are no other rules. For stories, demos and tests of user interfaces.
 *
 * @example
 * const peer = recordedPeer({ sessionId: 'task-42', events: recorded })
 * const client = createHoldpointClient({ sessionId: 'task-42', transport: memoryTransport(peer) })
 * peer.emit({ type: 'run_status', runId: 'run-1', status: 'running' })
 */
export function recordedPeer(options: RecordedPeerOptions): RecordedPeer {
  const { sessionId, userId = 'ada', now = Date.now, onMessage } = options
  const log: HoldpointEvent[] = []
  const readers = new Set<MemorySink>()
  const timestamp = () => new Date(now()).toISOString()
  const entry = (index: number) => {
    const event = log[index]
    return { cursor: cursorAt('recorded', event ? { seq: index + 1, json: JSON.stringify(event) } : null), event }
  }
  const after = (index: number) => log.slice(index).map((event, i) => ({ cursor: entry(index + i).cursor, event }))

  function emit(...events: HoldpointEvent[]) {
    const from = log.length
    log.push(...events.map((event) => ({ timestamp: timestamp(), sessionId, ...event })))
    for (const reader of [...readers]) reader.events(after(from))
  }

  function current() {
    const state = initialState({ sessionId, clientId: '' })
    return transition(state, { type: 'events', events: after(0) }, now())[0]
  }

  function snapshot(): SessionSnapshot {
    const { interactions, runs } = current()
    const all = [...interactions.values()].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)))
    return {
      cursor: entry(log.length - 1).cursor,
      serverTime: timestamp(),
      you: { userId, can: ['read', 'respond', 'remember', 'cancel', 'extend', 'connect', 'inbox'] },
      runs: [...runs.values()].map(({ runId, status }) => ({ runId, status })),
      interactions: all.map(({ request, response, authResult, closed, expiresAt, deferred, connected }) => ({
        request,
        expiresAt: new Date(expiresAt).toISOString(),
        deferred,
        connected: [...connected],
        ...(response || authResult ? { response: response ?? authResult } : {}),
        ...(closed ? { closed } : {}),
      })),
    }
  }

  function answer(message: ClientMessage): SendResult {
    if (message.type !== 'tool_interaction_response') {
      const confirmed = { cancel_run: 'cancelled', extend_interaction: 'extended' }[message.type as string]
      return { status: 200, body: { status: confirmed ?? 'accepted' } }
    }
    const { interactionId, callId, action, approvalScope, input, args, reason, clientId } = message
    const question = current().interactions.get(interactionId)
    if (!question) return refusal(404, 'unknown_interaction', 'There is no such question in this recording.')
    if (!isOpen(question)) return refusal(409, 'already_answered', 'This question has ended.')
    const given = JSON.parse(JSON.stringify({ approvalScope, input, args, reason }))
    const respondedBy = { userId, clientId }
    emit({ type: 'interaction_response', interactionId, toolCallId: callId, action, ...given, respondedBy })
    return { status: 200, body: { status: 'accepted' } }
  }

  emit(...(options.events ?? []))
  return {
    log,
    emit,
    subscribe({ cursor }, sink) {
      const known = cursor === null ? null : parseCursor(cursor)
      const here = known && parseCursor(entry(known.seq - 1).cursor)
      sink.open()
      if (known && (!here || compareCursors(known, here) !== 'same')) sink.reset('ahead')
      else {
        const missed = after(known?.seq ?? 0)
        if (missed.length > 0) sink.events(missed)
        readers.add(sink)
      }
      return () => void readers.delete(sink)
    },
    call({ path, body }) {
      if (path.endsWith('/messages')) return onMessage?.(body as ClientMessage) ?? answer(body as ClientMessage)
      if (path === '/inbox') return { status: 200, body: { items: [] } }
      if (/^\/sessions\/[^/]+$/.test(path)) return { status: 200, body: snapshot() }
      return refusal(501, 'not_configured', 'A recording has no such route.')
    },
  }
}

const refusal = (status: number, code: string, message: string): SendResult => ({
  status,
  body: { error: { code, message } },
})
