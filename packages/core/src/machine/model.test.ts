import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  authNeeded,
  authProgress,
  authResult,
  closed,
  content,
  log,
  request,
  response,
  run,
  time,
  toolCall,
  updated,
} from '../../test/support/log.ts'
import { model, snapshotOf } from '../../test/support/model.ts'
import type { HoldpointEvent } from '../protocol/events.ts'
import { initialState, type LogEntry, transition } from './index.ts'
import { isOpen } from './state/interaction.ts'
import type { MachineEffect, SessionState } from './state/types.ts'

const clientId = 'tab-1'
const fresh = () => initialState({ sessionId: 'task-42', clientId })

function play(state: SessionState, batches: readonly (readonly LogEntry[])[]) {
  const effects: MachineEffect[] = []
  for (const events of batches) {
    const [next, more] = transition(state, { type: 'events', events }, time)
    state = frozen(next)
    effects.push(...more)
  }
  return { state, effects }
}

/** Freezes the state, so that a transition that changes an older state fails. */
function frozen(state: SessionState): SessionState {
  for (const call of state.toolCalls.values())
    Object.freeze(Object.freeze(call).logs) && Object.freeze(call.interactionIds)
  for (const it of state.interactions.values()) Object.freeze(Object.freeze(it).connected)
  Object.freeze(state.pendingIds)
  return Object.freeze(state)
}

/** Returns the machine's state in the format of the model. */
function said(state: SessionState) {
  return {
    interactions: [...state.interactions.values()].map((it) => ({
      id: it.interactionId,
      status: it.status,
      deferred: it.deferred,
      expiresAt: it.expiresAt,
      connected: it.connected,
      answeredHere: it.answeredHere,
      replacedBy: it.replacedBy,
      args: it.response?.args,
    })),
    calls: Object.fromEntries(
      [...state.toolCalls].map(([id, call]) => [id, { ids: call.interactionIds, logs: call.logs }]),
    ),
    runs: Object.fromEntries([...state.runs].map(([id, { status }]) => [id, status])),
    pendingIds: state.pendingIds,
  }
}

const interactionId = fc.constantFrom('i1', 'i2', 'i3', 'i4', 'i5', 'i6')
const reason = fc.constantFrom('expired', 'cancelled', 'superseded', 'failed')
const toolCallId = fc.constantFrom('c1', 'c2', 'c3')
/** Any known event about a few ids, in any order, including orders that a correct server never writes. */
const anyEvent: fc.Arbitrary<HoldpointEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(interactionId, toolCallId, fc.option(interactionId))
      .map(([id, call, replaces]) =>
        request(id, { toolCallId: call, ...(replaces && replaces !== id ? { replaces } : {}) }),
      ),
  },
  fc.tuple(interactionId, toolCallId).map(([id, call]) => authNeeded(id, { toolCallId: call })),
  fc
    .tuple(interactionId, fc.constantFrom(clientId, 'tab-2'))
    .map(([id, by]) => response(id, { respondedBy: { clientId: by }, ...(id === 'i1' && { args: { n: 1 } }) })),
  interactionId.map((id) => updated(id, { args: { n: 2 } })),
  fc
    .tuple(interactionId, fc.boolean())
    .map(([id, deferred]) => updated(id, { deferred, expiresAt: '2026-01-02T04:00:00Z' })),
  fc.tuple(interactionId, reason).map(([id, why]) => closed(id, why)),
  interactionId.map((id) => authProgress(id, 'slack', ['gmail'])),
  fc.tuple(interactionId, fc.boolean(), reason).map(([id, ok, why]) => authResult(id, ok, ok ? undefined : why)),
  fc
    .tuple(fc.constantFrom('run-1', 'run-2'), fc.constantFrom('running', 'completed'))
    .map(([id, status]) => run(id, status)),
  fc
    .tuple(toolCallId, fc.constantFrom('start', 'complete'))
    .map(([id, step]) => toolCall(step as 'start', { toolCallId: id })),
  fc
    .tuple(toolCallId, fc.array(fc.string(), { maxLength: 3 }))
    .map(([id, logs]) => toolCall('update', { toolCallId: id, logs })),
  fc.string().map(content),
  fc.constant({ type: 'x-newer', anything: [1] }),
)
const anyLog = fc.array(anyEvent, { maxLength: 60 })

/**
 * A log as a correct server writes it: a question is asked once, ends once, and is asked again only after an answer.
 */
const properLog = fc.array(fc.tuple(fc.nat(5), fc.nat(9), reason), { maxLength: 80 }).map((steps) => {
  const events: HoldpointEvent[] = []
  const live = new Map<number, { id: string; stage: 'open' | 'answered' | 'over'; auth: boolean }>()
  steps.forEach(([slot, choice, why], n) => {
    const now = live.get(slot)
    const id = `i${slot}-${n}`
    const stamp = { timestamp: new Date(time + n).toISOString(), toolCallId: `c${slot}` }
    if (!now || (now.stage === 'over' && choice < 5)) {
      const auth = choice === 0
      events.push(auth ? authNeeded(id, stamp) : request(id, stamp))
      live.set(slot, { id, stage: 'open', auth })
    } else if (now.stage === 'open') {
      if (choice === 1) events.push(updated(now.id, { deferred: true }))
      else if (choice === 2 && now.auth) events.push(authProgress(now.id, 'slack', ['gmail']))
      else if (choice < 7) {
        events.push(now.auth ? authResult(now.id, true) : response(now.id, choice === 6 ? { args: { n: 1 } } : {}))
        if (choice === 6 && !now.auth && why === 'failed') events.push(updated(now.id, { args: { n: 2 } }))
        now.stage = now.auth ? 'over' : 'answered'
      } else {
        events.push(closed(now.id, why))
        now.stage = 'over'
      }
    } else if (now.stage === 'answered') {
      if (choice < 4) {
        events.push(request(id, { ...stamp, replaces: now.id, attempt: 2 }))
        live.set(slot, { id, stage: 'open', auth: false })
      } else {
        if (choice > 7) events.push(closed(now.id, why === 'failed' ? 'failed' : 'cancelled'))
        now.stage = 'over'
      }
    } else events.push(choice > 7 ? run(`run-${slot}`, 'running') : content('…'))
  })
  return events
})

const cuts = fc.array(fc.nat(20), { minLength: 1, maxLength: 20 })
function cut(entries: readonly LogEntry[], sizes: readonly number[]) {
  const batches: LogEntry[][] = []
  for (let from = 0, n = 0; from < entries.length; n++) {
    const size = Math.max(1, sizes[n % sizes.length]!)
    batches.push(entries.slice(from, from + size))
    from += size
  }
  return batches
}

describe('the machine and its model agree', () => {
  test('on every log, divided into any batches', () => {
    fc.assert(
      fc.property(anyLog, cuts, (events, sizes) => {
        const entries = log(events)
        const { state, effects } = play(fresh(), cut(entries, sizes))
        expect(said(state)).toEqual(model(events, clientId))
        expect(effects.filter((effect) => effect.type === 'resync')).toEqual([])
        const single = play(
          fresh(),
          entries.map((entry) => [entry]),
        ).state
        expect(said(single)).toEqual(said(state))
        expect([...single.interactions.keys()]).toEqual([...state.interactions.keys()])
      }),
      { numRuns: 400 },
    )
  })

  test('when events repeat, one by one or in old stretches, and no identity changes', () => {
    fc.assert(
      fc.property(anyLog, fc.array(fc.tuple(fc.nat(60), fc.nat(10))), (events, repeats) => {
        const entries = log(events)
        let { state } = play(fresh(), entries.length ? [entries] : [])
        for (const [from, size] of repeats) {
          const [next, effects] = transition(state, { type: 'events', events: entries.slice(from, from + size) }, time)
          expect(next).toBe(state)
          expect(effects).toEqual([])
          state = next
        }
        expect(said(state)).toEqual(model(events, clientId))
      }),
    )
  })

  test('after a gap, where later events are ignored and a snapshot with the rest completes the state', () => {
    fc.assert(
      fc.property(properLog, fc.nat(80), fc.nat(80), fc.nat(80), cuts, (events, a, b, c, sizes) => {
        const entries = log(events)
        const [from, to, taken] = [a, b, c].map((n) => Math.min(n, events.length)).sort((x, y) => x - y) as [
          number,
          number,
          number,
        ]
        let { state } = play(fresh(), cut(entries.slice(0, from), sizes))
        const [gapped, effects] = transition(state, { type: 'events', events: entries.slice(to) }, time)
        if (from > 0 && to > from && to < entries.length) {
          expect(effects).toEqual([{ type: 'resync', reason: 'gap' }])
          expect(gapped).toBe(state)
        } else state = gapped
        if (from === 0 && to > 0) state = fresh()
        state = transition(state, { type: 'snapshot', snapshot: snapshotOf(events.slice(0, taken)) }, time)[0]
        state = play(state, cut(entries.slice(Math.max(0, taken - 3)), sizes)).state
        const expected = model(events, clientId)
        // An auth_result takes the place of an answer. It does not contain the client that answered.
        expect(said(state).interactions.sort(byId)).toEqual(expected.interactions.sort(byId))
        expect(state.pendingIds).toEqual(expected.pendingIds)
        expect(said(state).runs).toEqual(expected.runs)
        for (const [id, call] of Object.entries(expected.calls))
          expect(state.toolCalls.get(id)?.interactionIds).toEqual(call.ids)
      }),
      { numRuns: 400 },
    )
  })

  test('after a reset to another history, when nothing of the old one remains', () => {
    fc.assert(
      fc.property(properLog, properLog, fc.constantFrom('epoch', 'ahead', 'forked', 'invalid'), (old, events, why) => {
        let { state } = play(fresh(), [log(old)])
        state = transition(state, { type: 'reset', reason: why }, time)[0]
        const half = events.slice(0, events.length >> 1)
        const epoch = why === 'forked' ? 'e1' : 'e2'
        state = transition(state, { type: 'snapshot', snapshot: snapshotOf(half, epoch) }, time)[0]
        state = play(state, [log(events, epoch)]).state
        const expected = model(events, clientId)
        expect(said(state).interactions.sort(byId)).toEqual(expected.interactions.sort(byId))
        expect(state.pendingIds).toEqual(expected.pendingIds)
      }),
    )
  })
})

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

test('topics name exactly what changed, and unchanged values keep their identity', () => {
  fc.assert(
    fc.property(anyLog, cuts, (events, sizes) => {
      let state = fresh()
      for (const batch of cut(log(events), sizes)) {
        const [next, effects] = transition(state, { type: 'events', events: batch }, time)
        const topics = new Set<string>(effects.flatMap((effect) => (effect.type === 'changed' ? effect.topics : [])))
        for (const [id, it] of next.interactions)
          expect(topics.has(`interaction:${id}`), id).toBe(it !== state.interactions.get(id))
        for (const [id, call] of next.toolCalls)
          expect(topics.has(`call:${id}`), id).toBe(call !== state.toolCalls.get(id))
        for (const [id, it] of next.runs) expect(topics.has(`run:${id}`), id).toBe(it !== state.runs.get(id))
        expect(topics.has('pending')).toBe(next.pendingIds !== state.pendingIds)
        expect(next.pendingIds).toEqual([...next.interactions.values()].filter(isOpen).map((it) => it.interactionId))
        expect(next.version > state.version).toBe(topics.size > 0)
        state = next
      }
    }),
  )
})

test('a snapshot of known state changes only the cursor', () => {
  fc.assert(
    fc.property(properLog, (events) => {
      const start = transition(fresh(), { type: 'snapshot', snapshot: snapshotOf([]) }, time)[0]
      const { state } = play(start, events.length ? [log(events)] : [])
      const [next, effects] = transition(state, { type: 'snapshot', snapshot: snapshotOf(events) }, time)
      expect(effects).toEqual([])
      expect(next.interactions).toBe(state.interactions)
      expect(next.toolCalls).toBe(state.toolCalls)
      expect(next.runs).toBe(state.runs)
      expect(next.pendingIds).toBe(state.pendingIds)
    }),
  )
})

test('corrected arguments reach a client that knows the response, by the event and by a snapshot', () => {
  const events = [request('i1'), response('i1', { args: { n: 1 } }), updated('i1', { args: { n: 2 } })]
  const { state } = play(fresh(), [log(events.slice(0, 2))])
  const ran = (after: SessionState) => after.interactions.get('i1')?.response?.args
  expect(ran(state)).toEqual({ n: 1 })
  expect(ran(play(state, [log(events).slice(2)]).state)).toEqual({ n: 2 })
  expect(ran(transition(state, { type: 'snapshot', snapshot: snapshotOf(events) }, time)[0])).toEqual({ n: 2 })
})
