import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromSchema } from '../../test/support/from-schema.ts'
import { authNeeded, log, request, response, time } from '../../test/support/log.ts'
import { snapshotOf } from '../../test/support/model.ts'
import { mutated } from '../../test/support/mutate.ts'
import { type HoldpointEvent, knownEvent } from '../protocol/events.ts'
import { sessionSnapshot } from '../protocol/snapshot.ts'
import { decodeEvent } from '../wire/events/decode-event.ts'
import { decodeSnapshot } from '../wire/events/decode-snapshot.ts'
import { initialState, transition } from './index.ts'
import type { MachineInput } from './state/types.ts'
import { cardViewOf } from './state/view.ts'

const fresh = () => initialState({ sessionId: 'task-42', clientId: 'tab-1' })
/** Few ids, so that events concern the same things. */
const near = (event: Record<string, unknown>) => ({
  ...event,
  ...('interactionId' in event && { interactionId: 'i1' }),
  ...('toolCallId' in event && { toolCallId: 'c1' }),
})
const events = fromSchema(knownEvent).map((event) => near(event as Record<string, unknown>))
const strange = fc.oneof(events, mutated(events), mutated(mutated(events)))
/** Fields of other event types with arbitrary values, because a newer server may use their names. */
const foreign = fc.dictionary(
  fc.constantFrom('integrations', 'connected', 'remaining', 'logs', 'status', 'interactionType', 'replaces', 'reason'),
  fc.jsonValue(),
)

test('the machine and its views accept every event that the guards accept', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(strange, foreign), { maxLength: 12 }), (values) => {
      const read = values
        .map(([event, more]) => (typeof event === 'object' && event ? { ...more, ...event } : event))
        .filter((value): value is HoldpointEvent => decodeEvent(value).ok)
      const [state] = transition(fresh(), { type: 'events', events: log(read) }, time)
      for (const it of state.interactions.values()) expect(cardViewOf(it, state, time).state).toBeTypeOf('string')
    }),
    { numRuns: 600 },
  )
})

test.each([[{ toString: 0 }], ['approval'], [null]])(
  'a request for accounts stays one, whatever a newer server adds to it: %j',
  (interactionType) => {
    const asked = { ...authNeeded('i1'), interactionType } as unknown as HoldpointEvent
    expect(decodeEvent(asked).ok).toBe(true)
    const [state] = transition(fresh(), { type: 'events', events: log([asked]) }, time)
    expect(state.interactions.get('i1')).toMatchObject({ kind: 'connect', status: 'pending' })
  },
)

test('a call that a remembered approval allows is never open, also not between its request and its response [HP-ANS-14]', () => {
  const asked = request('i1', { coveredBy: 'i0' })
  let [state] = transition(fresh(), { type: 'events', events: log([asked]) }, time)
  expect([state.pendingIds, cardViewOf(state.interactions.get('i1')!, state, time).state]).toEqual([
    [],
    'answered-elsewhere',
  ])
  const answer = response('i1', { coveredBy: 'i0' })
  ;[state] = transition(fresh(), { type: 'events', events: log([asked, answer]) }, time)
  expect(state.interactions.get('i1')).toMatchObject({ status: 'answered', response: { coveredBy: 'i0' } })
})

test('the machine accepts every snapshot that can be read', () => {
  fc.assert(
    fc.property(mutated(fromSchema(sessionSnapshot)), (value) => {
      const read = decodeSnapshot(value)
      if (!read.ok) return
      const [state] = transition(fresh(), { type: 'snapshot', snapshot: read.value.snapshot }, time)
      expect(transition(state, { type: 'snapshot', snapshot: read.value.snapshot }, time)[0].pendingIds).toEqual(
        state.pendingIds,
      )
    }),
    { numRuns: 400 },
  )
})

test('an answer without a JSON form is kept as a draft without an error', () => {
  const circle: Record<string, unknown> = { files: 2n }
  circle.circle = circle
  let [state] = transition(fresh(), { type: 'events', events: log([request('i1')]) }, time)
  const submit = { type: 'submit', interactionId: 'i1', answerId: 'a1', answer: { action: 'approve', args: circle } }
  ;[state] = transition(state, submit as MachineInput, time)
  ;[state] = transition(state, { type: 'snapshot', snapshot: snapshotOf([request('i1')]) }, time)
  expect(state.interactions.get('i1')).toMatchObject({ status: 'submitting', draft: { answerId: 'a1' } })
})
