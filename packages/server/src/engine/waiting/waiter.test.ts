import { HoldpointError } from '@holdpoint/core'
import { describe, expect, test, vi } from 'vitest'
import { bareKernel, IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import { Deferred } from '../../base/deferred.ts'
import { settleIn } from '../answering/settle.ts'
import { openQuestion } from '../asking/open-question.ts'
import { putQuestion } from '../records/question-records.ts'
import type { Answered, DeliveryRow, QuestionOutcome, QuestionRow } from '../state/rows.ts'
import type { Behavior } from './waiter.ts'

const MINUTE = 60_000
const answer: Answered = { answerId: 'a', digest: 'd', at: 5, by: { clientId: 'tab' }, action: 'approve' }
const over = (outcome: QuestionOutcome, changes: Partial<QuestionRow> = {}): Partial<QuestionRow> => ({
  status: 'answered',
  endedAt: 40,
  outcome,
  ...changes,
})

/** An execution, and the promise that waits for its question. Everything else happens by rows in the store. */
function world(options: Parameters<typeof bareKernel>[0] = {}) {
  const bare = bareKernel(options)
  const { kernel } = bare
  const execution = bare.execution()
  const ends: unknown[] = []
  return {
    ...bare,
    execution,
    ends,
    waitFor(row: QuestionRow, behavior: Partial<Behavior> = {}) {
      const promised = new Deferred<{ type: 'value'; value: unknown }>(
        ({ value }) => void ends.push(value),
        (error) => void ends.push(error),
      )
      return kernel.waiters.wait(execution, row, { onResponse: () => ({ complete: 1 }), ...behavior }, promised)
    },
  }
}

/** A stored question, of which every change reaches its waiter. */
async function waiting(behavior: Partial<Behavior> = {}, changes: Partial<QuestionRow> = {}, options = {}) {
  const all = world(options)
  const waiter = all.waitFor(await all.ask({ askedAt: 10, ...changes }), behavior)
  await all.clock.settle()
  return {
    ...all,
    waiter,
    async becomes(next: Partial<QuestionRow>) {
      await all.ask({ askedAt: 10, ...changes, ...next })
      await all.clock.settle()
    },
  }
}

test.each<[string, Partial<QuestionRow>, unknown]>([
  ['a result', over({ type: 'complete', value: 7 }), 7],
  [
    'a pending result, if it continues without an answer',
    over({ type: 'pending', message: 'later', queued: true }),
    { pending: true, message: 'later', queued: true },
  ],
  [
    'the same pending result, whatever happened later',
    over({ type: 'follow_up' }, { pending: { message: 'later', queued: false } }),
    { pending: true, message: 'later', queued: false },
  ],
  [
    'a pending result, if the question is still deferred',
    { status: 'deferred', pending: { message: 'later', queued: false } },
    { pending: true, message: 'later', queued: false },
  ],
  [
    'a denial',
    over({ type: 'refused', outcome: 'denied', reason: 'no' }),
    { outcome: 'denied', reason: 'no', interactionId: 'q1' },
  ],
  [
    'an expired outcome without a reason',
    over({ type: 'refused', outcome: 'expired' }),
    { outcome: 'expired', reason: undefined },
  ],
  [
    'a handler that failed elsewhere',
    over({ type: 'failed' }),
    { code: 'handler_failed', details: { interactionId: 'q1' } },
  ],
  ['an answer that left as a follow-up', over({ type: 'follow_up' }), { outcome: 'superseded', interactionId: 'q1' }],
])('a waiter resolves or rejects once with %s', async (_what, row, expected) => {
  const { ends, becomes, reported, waiter } = await waiting()
  expect([ends, waiter.over]).toEqual([[], false])
  await becomes(row)
  await becomes(row)
  expect(ends).toHaveLength(1)
  if (typeof expected === 'object') expect(ends[0]).toMatchObject(expected as object)
  else expect(ends[0]).toBe(expected)
  const endedAt = row.endedAt ?? 10
  expect(reported).toMatchObject([{ type: 'resumed', at: endedAt, waitedMs: endedAt - 10, interactionId: 'q1' }])
})

describe('the delivery of an outcome', () => {
  /** Waits for a question whose outcome is recorded with a delivery, as a process of a tool call does. */
  async function delivered(next: Partial<QuestionRow>, { stops = false, dueIn = 0 } = {}) {
    const calls: string[] = []
    const hook = ({ deliveryId }: { deliveryId: string }) => void calls.push(deliveryId)
    const all = await waiting({}, {}, { hooks: { onToolResult: hook, onFollowUp: hook } })
    const { kernel, partition, clock } = all
    if (stops) all.waiter.detach(new Error('gone'))
    await kernel.transact(partition, async (tx) => {
      const result = { status: 'completed', result: 7 } as const
      const row = { ...IDENTITY, deliveryId: 'd1', attempts: 0, at: clock.now(), type: 'tool_result', result } as const
      tx.put('delivery', 'd1', row satisfies DeliveryRow, { due: tx.now + dueIn })
    })
    await all.becomes(next)
    await clock.advance(1)
    await kernel.outbox.settled()
    return { calls, left: await all.row('delivery', 'd1') }
  }

  test('the waiter that received an outcome acknowledges it: the hook is not called', async () => {
    const { calls, left } = await delivered(over({ type: 'complete' }, { delivery: 'd1' }), { dueIn: MINUTE })
    expect([calls, left]).toEqual([[], null])
  })

  test('an outcome that its waiter no longer waits for is delivered at once', async () => {
    const gone = over({ type: 'refused', outcome: 'denied' }, { delivery: 'd1' })
    const { calls, left } = await delivered(gone, { stops: true })
    expect([calls, left]).toEqual([['d1'], null])
  })

  test.each([
    ['without a delivery', over({ type: 'complete' })],
    ['that left as a follow-up', over({ type: 'follow_up' }, { delivery: 'd1' })],
  ])('an outcome %s acknowledges nothing', async (_what, next) => {
    const { calls, left } = await delivered(next, { dueIn: MINUTE })
    expect([calls, left]).toMatchObject([[], { deliveryId: 'd1' }])
  })
})

test('an execution that lost its call, or whose question was removed, does not continue', async () => {
  const lost = await waiting()
  const call = { runId: 'run-1', toolCallId: 'call-1', toolName: 't', registered: false, keys: {}, startedAt: 0 }
  await lost.put('call', lost.execution.id, { ...call, status: 'running', fence: 2 })
  await lost.clock.settle()
  expect(lost.ends).toMatchObject([{ code: 'ownership_lost' }])
  const gone = await waiting()
  await gone.drop('question', 'q1')
  await gone.clock.settle()
  expect(gone.ends).toMatchObject([{ outcome: 'superseded', interactionId: 'q1' }])
})

test('a cancellation calls the handler once before the call rejects, and ignores what the handler returns', async () => {
  const cancelled = over({ type: 'refused', outcome: 'cancelled' })
  const order: unknown[] = []
  const fine = await waiting({ onCancel: () => void order.push(['cancelled', fine.ends.length]) })
  await fine.becomes(cancelled)
  await fine.becomes(cancelled)
  expect(order).toEqual([['cancelled', 0]])
  const broken = await waiting({ onCancel: () => Promise.reject(new Error('oh no')) })
  await broken.becomes(cancelled)
  expect(broken.ends).toMatchObject([{ outcome: 'cancelled' }])
  expect(broken.logged).toMatchObject([['warn', 'onCancel failed', { interactionId: 'q1' }]])
  const expired = await waiting({ onCancel: () => void order.push('expired') })
  await expired.becomes(over({ type: 'refused', outcome: 'expired' }))
  expect(order).toHaveLength(1)
})

test('a question is shown once, to a client of its owner or its audience', async () => {
  const request = { ...questionRow().request, audience: ['boss'] } as QuestionRow['request']
  const { kernel, partition, reported } = await waiting({}, { request })
  const show = (users: string[], at: number) => kernel.waiters.shown(partition, new Set(users), at)
  show([], 1)
  show(['eve'], 2)
  expect(reported).toEqual([])
  show(['eve', 'boss'], 3)
  show(['ada'], 4)
  const { tenant, sessionId, runId, toolCallId, toolName } = IDENTITY
  const call = { tenant, sessionId, runId, toolCallId, toolName }
  expect(reported).toEqual([{ type: 'shown', at: 3, ...call, interactionId: 'q1', kind: 'approval', attempt: 1 }])
  const own = await waiting()
  own.kernel.waiters.shown(own.partition, new Set(['ada']), 4)
  expect(own.reported).toHaveLength(1)
})

test('a stopped or settled waiter does not compute the outcome of a plain answer', async () => {
  const plain = () => ({ complete: 'yes' })
  const open = await waiting({ plain })
  expect(open.waiter.plain(answer, questionRow())).toEqual({ complete: 'yes' })
  await open.becomes(over({ type: 'complete', value: 1 }))
  expect(open.waiter.plain(answer, questionRow())).toBeUndefined()
  const gone = await waiting({ plain })
  gone.waiter.detach(new Error('gone'))
  expect(gone.waiter.plain(answer, questionRow())).toBeUndefined()
})

/** A question that was really asked, whose call has been claimed. */
async function asked(behavior: Partial<Behavior> = {}) {
  const all = world()
  const { kernel, execution, partition, clock } = all
  await kernel.ready()
  const opened = await openQuestion(kernel, execution, {
    ...({ key: 'k', kind: 'approval', digest: 'd', timeoutMs: MINUTE, shortcut: false, onTimeout: false } as const),
    event: ({ interactionId }) => ({ ...questionRow().request, interactionId }) as never,
  })
  if (opened.type !== 'question') throw new Error('the approval was remembered')
  const { id } = opened.row
  all.waitFor(opened.row, behavior)
  await clock.settle()
  const change = async (next: (row: QuestionRow) => Partial<QuestionRow>) => {
    await kernel.transact(partition, async (tx) => {
      const [found] = await tx.read(['question', id])
      if (found) putQuestion(tx, { ...found, ...next(found) } as QuestionRow)
    })
    await clock.settle()
  }
  return {
    ...all,
    id,
    change,
    stored: async (of = id) => (await all.row('question', of)) ?? (await all.row('ended', of)),
    async settle(more: Partial<Answered> = {}) {
      await kernel.transact(partition, async (tx) => {
        const [found] = await tx.read(['question', id])
        if (found) settleIn(kernel, tx, found, { ...answer, ...more })
      })
      await clock.settle()
    },
  }
}

test('a handler receives the answer, an idempotency key and the attempt, and its result is recorded and resolves the call', async () => {
  const given: unknown[] = []
  const all = await asked({
    onResponse({ reason }, row, info) {
      given.push(reason, row.id, info.idempotencyKey, info.interactionId, info.attempt, info.signal.aborted)
      return { complete: { done: true } }
    },
  })
  await all.settle({ reason: 'why not' })
  expect(given).toEqual(['why not', all.id, `${all.id}:answered`, all.id, 1, false])
  expect(all.ends).toEqual([{ done: true }])
  expect(await all.stored()).toMatchObject({ outcome: { type: 'complete', value: { done: true } } })
})

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'returned undefined'],
  ['null', null, 'returned null'],
  ['a string', 'yes', 'returned string'],
  ['two decisions', { complete: 1, pending: { message: '' } }, 'returned { complete, pending }'],
  ['something else', { done: 1 }, 'returned { done }'],
  ['an empty object', {}, 'returned object'],
])(
  'a handler that returns %s rejects with invalid_outcome, and the answer is consumed',
  async (_what, returned, message) => {
    const all = await asked({ onResponse: () => returned as never })
    await all.settle()
    expect(all.ends).toMatchObject([{ code: 'invalid_outcome', message: expect.stringContaining(message) }])
    expect(await all.stored()).toMatchObject({ status: 'failed', outcome: { type: 'failed' } })
  },
)

test('a handler that throws rejects the call with its error and is recorded as failed', async () => {
  const error = new TypeError('mine')
  const all = await asked({
    onResponse: () => {
      throw error
    },
  })
  await all.settle()
  expect(all.ends).toEqual([error])
  expect(await all.stored()).toMatchObject({ outcome: { type: 'failed' } })
})

test('a result that cannot be recorded counts as a failure of the handler', async () => {
  const all = await asked({ onResponse: () => ({ complete: 1n }) })
  await all.settle()
  expect(all.ends).toMatchObject([{ code: 'not_recordable' }])
  expect(await all.stored()).toMatchObject({ outcome: { type: 'failed' } })
})

test('a store that rejects an outcome rejects the call, and the answer stays', async () => {
  const all = await asked({
    onResponse() {
      vi.spyOn(all.store, 'commit').mockRejectedValue(new HoldpointError('store_closed', 'closed'))
      return { complete: 1 }
    },
  })
  await all.settle()
  expect(all.ends).toMatchObject([{ code: 'store_closed' }])
  expect(all.logged).toContainEqual([
    'error',
    'an outcome could not be recorded',
    expect.objectContaining({ interactionId: all.id }),
  ])
  expect(await all.stored()).toMatchObject({ status: 'answered' })
})

test('the signal of a handler is aborted if its question ends, its call is lost or its run is cancelled', async () => {
  const reasons: unknown[] = []
  const slow = async () => {
    const all = await asked({
      onResponse: (_answer, _row, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason)
            resolve({ complete: 'late' })
          })
        }),
    })
    await all.settle()
    return all
  }
  const ended = await slow()
  await ended.change(() => over({ type: 'refused', outcome: 'cancelled' }, { status: 'cancelled' }))
  expect(reasons).toMatchObject([{ outcome: 'cancelled', interactionId: ended.id }])
  expect(ended.ends).toMatchObject([{ outcome: 'cancelled' }])
  const lost = await slow()
  const call = await lost.row('call', lost.execution.id)
  if (call) await lost.put('call', lost.execution.id, { ...call, fence: 9 })
  await lost.clock.settle()
  expect(reasons).toHaveLength(2)
  expect(lost.ends).toMatchObject([{ code: 'ownership_lost' }])
  const cancelled = await slow()
  cancelled.execution.cancel('enough')
  expect(reasons[2]).toMatchObject({ outcome: 'cancelled', reason: 'enough' })
})

test('a timeout calls onTimeout if the tool has it, and otherwise rejects', async () => {
  const decides = await asked({ onTimeout: ({ idempotencyKey }) => ({ complete: idempotencyKey }) })
  await decides.change(() => ({ status: 'timing_out' }))
  expect(decides.ends).toEqual([`${decides.id}:timing_out`])
  const silent = await asked()
  await silent.change(() => ({ status: 'timing_out' }))
  expect(silent.ends).toMatchObject([{ name: 'InteractionRefused', outcome: 'expired', interactionId: silent.id }])
})

test('an answered row without an answer is reported as corrupt', async () => {
  const all = await asked()
  await all.change(() => ({ status: 'answered' }))
  expect(all.ends).toMatchObject([{ code: 'corrupt_question' }])
})

test('a waiter continues with the next prompt after a reprompt, and shows it', async () => {
  const all = await asked({
    onResponse: (_answer, { prompts }) => (prompts === 1 ? { reprompt: { prompt: 'Really?' } } : { complete: 'sure' }),
  })
  const { kernel, partition, reported } = all
  const show = (at: number) => kernel.waiters.shown(partition, new Set(['ada']), at)
  show(1)
  await all.settle()
  expect(all.ends).toEqual([])
  show(2)
  const events = reported.filter(({ type }) => type === 'shown' || type === 'asked')
  expect(events.map(({ type, ...facts }) => [type, 'attempt' in facts && facts.attempt])).toEqual([
    ['shown', 1],
    ['asked', 2],
    ['shown', 2],
  ])
  const { outcome } = (await all.stored()) ?? {}
  const next = outcome?.type === 'reprompt' ? outcome.next : ''
  expect(await all.stored(next)).toMatchObject({ status: 'open', request: { prompt: 'Really?' } })
  await kernel.transact(partition, async (tx) => {
    const [found] = await tx.read(['question', next])
    if (found) settleIn(kernel, tx, found, { ...answer, answerId: 'b' })
  })
  await all.clock.settle()
  expect(all.ends).toEqual(['sure'])
})

test('a question that was ended while its handler ran stays ended', async () => {
  let decide = (_outcome: { complete: string }) => {}
  const all = await asked({
    onResponse: () =>
      new Promise((resolve) => {
        decide = resolve
      }),
  })
  await all.settle()
  await all.change(() => over({ type: 'refused', outcome: 'cancelled' }, { status: 'cancelled' }))
  decide({ complete: 'late' })
  await all.clock.settle()
  expect(all.ends).toMatchObject([{ outcome: 'cancelled' }])
  expect(await all.stored()).toMatchObject({ outcome: { type: 'refused', outcome: 'cancelled' } })
})
