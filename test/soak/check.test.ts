import { expect, test } from 'vitest'
import { check } from '../../bench/soak/check.ts'
import { slope, trends } from '../../bench/soak/curves.ts'
import { digestOf, type History } from '../../bench/soak/history.ts'
import type { ClientNote, NodeNote, Sample, Task } from '../../bench/soak/messages.ts'
import { FAULTS, planFaults } from '../../bench/soak/plan.ts'

/** Two calls of one session: one approved by ada's tab while another tab was too late, one answered after its time. */
function history(): History & { nodes: NodeNote[]; clients: ClientNote[]; tasks: Task[] } {
  const asked = (interactionId: string, prompt: string, task: number) => ({
    ...{ type: 'interaction_request', interactionId, prompt, runId: `run-${task}`, toolCallId: `call-${task}` },
    expiresAt: '2030-01-01T00:01:00.000Z',
  })
  const answered = (interactionId: string, clientId: string, late = false) => ({
    ...{ type: 'interaction_response', interactionId, action: 'approve', respondedBy: { userId: 'ada', clientId } },
    ...(late && { late }),
  })
  const events = [
    asked('q1', 'approve 0 a', 0),
    answered('q1', 'tab1'),
    asked('q2', 'late 1 a', 1),
    { type: 'interaction_updated', interactionId: 'q2', deferred: true },
    answered('q2', 'tab1', true),
  ].map((event, index) => ({ seq: index + 1, type: event.type, digest: digestOf(event), event }))
  const seen = (life: string, from: number): ClientNote[] =>
    events.slice(from - 1).map(({ seq, digest }) => ['event', 's', life, `e.${seq}.t`, digest])
  return {
    now: Date.parse('2030-01-01T00:02:00.000Z'),
    sessions: new Map([['s', { epoch: 'e', events }]]),
    tasks: [
      { id: 0, kind: 'approve', sessionId: 's', userId: 'ada' },
      { id: 1, kind: 'late', sessionId: 's', userId: 'ada' },
    ],
    nodes: [
      ['ran', 'A', 0],
      ['effect', 'A', 0, 'a', 'key1'],
      // Its process died inside: again, under the same key.
      ['effect', 'B', 0, 'a', 'key1'],
      ['promised', 'B', 0, { a: 'approved' }],
      ['delivered', 'A', 0, 'd1', { a: 'approved' }],
      ['delivered', 'B', 0, 'd1', { a: 'approved' }],
      ['promised', 'A', 1, { a: 'pending' }],
      ['follow-up', 'A', 1, 'd2', 'q2'],
    ],
    clients: [
      ['life', 's', 'tab1#1', 'sse', 'log'],
      ...seen('tab1#1', 1),
      ['life', 's', 'tab2#1', 'sse', 'snapshot'],
      ['snapshot', 's', 'tab2#1', 'e.2.t'],
      ...seen('tab2#1', 3),
      ['accepted', 's', 'tab1', 'q1', 'approve'],
      ['lost', 's', 'tab2', 'q1', 'tab1'],
      ['accepted', 's', 'tab1', 'q2', 'approve'],
      ['end', 's', 'tab1#1', 'e.5.t', { q1: 'answered', q2: 'answered' }],
    ],
  }
}

const drop = <T>(list: T[], found: (one: T) => boolean) => list.splice(list.findIndex(found), 1)
type Doctor = (it: ReturnType<typeof history>) => unknown
const events = ({ sessions }: History) => sessions.get('s')?.events ?? []

test('a correct history has no faults', () => {
  expect(check(history())).toEqual([])
})

test.each<[string, string, Doctor]>([
  [
    'an acknowledged answer that is not in the log',
    'acknowledged is kept',
    (it) => drop(events(it), ({ seq }) => seq === 2),
  ],
  [
    'another answer than the acknowledged one',
    'acknowledged is kept',
    (it) => it.clients.push(['accepted', 's', 'tab1', 'q1', 'deny']),
  ],
  ['two winners', 'one winner', (it) => it.clients.push(['accepted', 's', 'tab2', 'q1', 'approve'])],
  [
    'a loser who received the wrong winner',
    'losers receive the winner',
    (it) => it.clients.push(['lost', 's', 'tab3', 'q1', 'tab2']),
  ],
  ['a number that is missing in the log', 'log without gaps', (it) => drop(events(it), ({ seq }) => seq === 3)],
  ['two answers in the log', 'one answer', (it) => events(it).push({ ...events(it)[1]!, seq: 6 })],
  [
    'a question that is open after its deadline',
    'no question hangs',
    (it) => events(it).push({ ...events(it)[0]!, seq: 6, event: { ...events(it)[0]!.event, interactionId: 'q3' } }),
  ],
  [
    'an event that a client did not see',
    'no gap',
    (it) => drop(it.clients, (note) => note[0] === 'event' && note[3] === 'e.3.t'),
  ],
  [
    'an event that a client saw twice',
    'nothing twice',
    (it) => it.clients.push(it.clients.find((note) => note[0] === 'event' && note[2] === 'tab1#1')!),
  ],
  [
    'an event that the store does not have',
    'clients see the log',
    (it) => it.clients.push(['event', 's', 'tab1#1', 'e.6.t', 'digest']),
  ],
  [
    'an event that is another in the store',
    'clients see the log',
    (it) => it.clients.splice(1, 1, ['event', 's', 'tab1#1', 'e.1.t', 'other']),
  ],
  ['a reader of the log that begins in its middle', 'no gap', (it) => it.clients.splice(1, 1)],
  [
    'a client that takes a question for open',
    'clients know the end',
    (it) => it.clients.push(['end', 's', 'tab2#1', 'e.5.t', { q1: 'pending' }]),
  ],
  [
    'a client that never reached the end',
    'clients catch up',
    (it) => it.clients.push(['stuck', 's', 'tab2#1', 'e.3.t', 5]),
  ],
  ['an effect under two keys', 'one effect', (it) => it.nodes.push(['effect', 'B', 0, 'a', 'key2'])],
  [
    'an effect that did not happen',
    'one effect',
    (it) => {
      it.nodes = it.nodes.filter(([what]) => what !== 'effect')
    },
  ],
  ['two deliveries', 'one delivery', (it) => it.nodes.push(['delivered', 'B', 0, 'd9', { a: 'approved' }])],
  ['two follow-ups', 'one delivery', (it) => it.nodes.push(['follow-up', 'B', 1, 'd9', 'q2'])],
  ['two results', 'one result', (it) => it.nodes.push(['delivered', 'B', 0, 'd1', { a: 'denied' }])],
  [
    'a result without an answer',
    'the result is the answer',
    (it) => {
      it.nodes = [['promised', 'A', 0, { a: 'denied' }], ...it.nodes.filter(([, , task]) => task === 1)]
    },
  ],
  [
    'a call without an end',
    'every call ends',
    (it) => it.tasks.push({ id: 2, kind: 'approve', sessionId: 's', userId: 'ada' }),
  ],
  [
    'a follow-up that was not delivered',
    'follow-ups are delivered',
    (it) => drop(it.nodes, ([what]) => what === 'follow-up'),
  ],
  [
    'a text that is in the log twice',
    'said once',
    (it) => {
      for (const seq of [6, 7]) events(it).push({ seq, type: 'content', digest: '', event: { text: '0 text 1' } })
    },
  ],
  [
    'a text that was acknowledged and is not there',
    'acknowledged is kept',
    (it) => it.nodes.push(['emitted', 'A', 's', '0 text 9']),
  ],
  [
    'an open question of a run that was cancelled',
    'a cancelled run asks nothing',
    (it) => {
      it.clients.push(['cancelled', 's', 'tab1', 'run-9'])
      events(it).push({
        ...events(it)[0]!,
        seq: 6,
        event: { ...events(it)[0]!.event, interactionId: 'q3', runId: 'run-9' },
      })
    },
  ],
])('the check detects %s', (_what, rule, doctor) => {
  const doctored = history()
  doctor(doctored)
  expect(check(doctored).map((violation) => violation.rule)).toContain(rule)
})

test('a plan contains every fault, is equal for equal seeds, and never kills the last node', () => {
  const setup = { ms: 120_000, nodes: 3, leaseMs: 1_500, types: FAULTS }
  const plan = planFaults({ seed: 1, ...setup })
  expect(new Set(plan.map(({ type }) => type))).toEqual(new Set(FAULTS))
  expect(planFaults({ seed: 1, ...setup })).toEqual(plan)
  expect(planFaults({ seed: 2, ...setup })).not.toEqual(plan)
  expect(new Set(planFaults({ seed: 3, ...setup, ms: 20_000 }).map(({ type }) => type))).toEqual(new Set(FAULTS))
  expect(plan.some(({ type, node }) => type === 'kill' && node === 2)).toBe(false)
})

test('a rising curve is not flat, and a curve with a burst at its end is', () => {
  const curve = (heap: (n: number) => number) =>
    Array.from(
      { length: 100 },
      (_, n): Sample => ({ age: n, heap: heap(n), rss: 100, fds: 30, timers: 5, listeners: 9 }),
    )
  const flat = (heap: (n: number) => number) =>
    trends({ name: 'A#1', samples: curve(heap) })
      .filter((trend) => !trend.flat)
      .map(({ figure }) => figure)
  expect(flat((n) => 50 + 0.2 * n)).toEqual(['heap'])
  expect(flat((n) => 50 + (n > 95 ? 40 : 0))).toEqual([])
  // While caches fill, it may.
  expect(flat((n) => Math.min(n, 50))).toEqual([])
  expect(
    slope([
      { x: 0, y: 0 },
      { x: 2, y: 1 },
    ]),
  ).toBe(0.5)
})
