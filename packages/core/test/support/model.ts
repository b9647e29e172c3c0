import { cursorAt } from '@holdpoint/core/wire'
import type { HoldpointEvent } from '../../src/protocol/events.ts'
import type { InteractionSnapshot, SessionSnapshot } from '../../src/protocol/snapshot.ts'
import { time } from './log.ts'

/**
 * The meaning of a session's log in the simplest form, without regard for speed. The machine is compared with it. It
 * reads the whole log for every question.
 */
export interface ModelInteraction {
  id: string
  status: string
  deferred: boolean
  expiresAt: number
  connected: string[]
  answeredHere: boolean
  replacedBy: string | undefined
  /** The arguments that were recorded as running, if the person edited them. */
  args: unknown
}

type Loose = Record<string, unknown> & { type: string; interactionId?: string; toolCallId?: string; runId?: string }
const asks = (event: Loose) => event.type === 'interaction_request' || event.type === 'auth_needed'

export function model(events: readonly HoldpointEvent[], clientId: string) {
  const all = events as Loose[]
  const ids = [...new Set(all.filter(asks).map((event) => event.interactionId!))]
  const interactions = ids.map((id) => life(all, id, clientId))
  const calls = new Map<string, { ids: string[]; logs: string[] }>()
  for (const event of all) {
    const touches = /^tool_call_(start|update|complete)$/.test(event.type)
    const first =
      asks(event) && all.find((other) => asks(other) && other.interactionId === event.interactionId) === event
    if (!touches && !first) continue
    const call = calls.get(event.toolCallId!) ?? { ids: [], logs: [] }
    calls.set(event.toolCallId!, call)
    if (first) call.ids.push(event.interactionId!)
    else if (event.type === 'tool_call_update') call.logs.push(...((event.logs as string[]) ?? []))
  }
  const runs = new Map(all.filter((event) => event.type === 'run_status').map((event) => [event.runId!, event.status]))
  return {
    interactions,
    calls: Object.fromEntries(calls),
    runs: Object.fromEntries(runs),
    pendingIds: interactions.filter((it) => it.status === 'pending').map((it) => it.id),
  }
}

function life(all: readonly Loose[], id: string, clientId: string): ModelInteraction {
  const start = all.findIndex((event) => asks(event) && event.interactionId === id)
  const request = all[start]!
  const it: ModelInteraction = {
    id,
    status: 'pending',
    deferred: false,
    expiresAt: Date.parse(request.expiresAt as string),
    connected: [],
    answeredHere: false,
    replacedBy: undefined,
    args: undefined,
  }
  let responded = false
  let closed = false
  let resolved = false
  for (const event of all.slice(start + 1)) {
    const open = it.status === 'pending'
    if (asks(event) && event.replaces === id && isFirst(all, event) && !it.replacedBy) {
      it.replacedBy = event.interactionId
      if (open) it.status = 'superseded'
    }
    if (event.interactionId !== id) continue
    if (event.type === 'interaction_updated' && event.args !== undefined) {
      if (responded) it.args = event.args
    } else if (event.type === 'interaction_updated' && open) {
      if (event.expiresAt) it.expiresAt = Date.parse(event.expiresAt as string)
      if (event.deferred !== undefined) it.deferred = event.deferred as boolean
    }
    if (event.type === 'interaction_response' && !responded && (open || it.status === 'answered')) {
      responded = true
      it.status = 'answered'
      it.args = event.args
      it.answeredHere = (event.respondedBy as { clientId: string }).clientId === clientId
    }
    if (event.type === 'interaction_closed' && !closed) {
      closed = true
      it.status = event.reason as string
    }
    if (event.type === 'auth_progress') {
      const wanted = (request.integrations ?? []) as string[]
      it.connected = wanted.filter((name) => !(event.remaining as string[]).includes(name))
    }
    if (event.type === 'auth_result' && !resolved) {
      resolved = true
      if (!open) continue
      it.status = event.success ? 'answered' : ((event.reason as string) ?? 'cancelled')
      if (event.success) Object.assign(it, { connected: event.integrations, answeredHere: true })
    }
  }
  return it
}

const isFirst = (all: readonly Loose[], event: Loose) =>
  all.find((other) => asks(other) && other.interactionId === event.interactionId) === event

/** The snapshot that a server would give of these events: pending first. */
export function snapshotOf(events: readonly HoldpointEvent[], epoch = 'e1'): SessionSnapshot {
  const all = events as Loose[]
  const state = model(events, 'nobody')
  const interactions = state.interactions.map((it): InteractionSnapshot => {
    const of = (...types: string[]) => all.find((event) => types.includes(event.type) && event.interactionId === it.id)
    const response = of('interaction_response', 'auth_result')
    const closed = of('interaction_closed')
    return {
      request: of('interaction_request', 'auth_needed'),
      expiresAt: new Date(it.expiresAt).toISOString(),
      deferred: it.deferred,
      connected: it.connected,
      ...(response ? { response: it.args === undefined ? response : { ...response, args: it.args } } : {}),
      ...(closed ? { closed } : {}),
    } as InteractionSnapshot
  })
  const pending = (item: InteractionSnapshot) => !item.response && !item.closed
  const last = events.at(-1)
  return {
    cursor: cursorAt(epoch, last ? { seq: events.length, json: JSON.stringify(last) } : null),
    serverTime: new Date(time).toISOString(),
    you: { userId: 'ada', can: ['read', 'respond', 'remember', 'cancel', 'extend', 'connect', 'inbox'] },
    runs: Object.entries(state.runs).map(([runId, status]) => ({ runId, status })) as SessionSnapshot['runs'],
    interactions: [...interactions.filter(pending), ...interactions.filter((item) => !pending(item))],
  }
}
