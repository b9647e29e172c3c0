import { HoldpointError } from '@holdpoint/core'
import { expect, test, vi } from 'vitest'
import { bareKernel, IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import { Deferred } from '../../base/deferred.ts'
import { settleIn } from '../answering/settle.ts'
import { InteractionRefused } from '../api/interaction-refused.ts'
import { openQuestion } from '../asking/open-question.ts'
import { putQuestion } from '../records/question-records.ts'
import type { Answered, QuestionRow } from '../state/rows.ts'
import { type Behavior, Waiter } from './waiter.ts'

const answer: Answered = { answerId: 'a', digest: 'd', at: 5, by: { clientId: 'tab' }, action: 'approve' }
const over = (outcome: QuestionRow['outcome'], changes: Partial<QuestionRow> = {}) =>
  questionRow({ status: 'answered', askedAt: 10, endedAt: 40, outcome, ...changes } as Partial<QuestionRow>)

function world(behavior: Partial<Behavior> = {}, changes: Partial<QuestionRow> = {}) {
  const bare = bareKernel()
  const { kernel } = bare
  const execution = bare.execution()
  const ends: unknown[] = []
  const promised = new Deferred<{ type: 'value'; value: unknown }>(
    ({ value }) => void ends.push(value),
    (error) => void ends.push(error),
  )
  const acts = { onResponse: () => ({ complete: 1 }), ...behavior }
  const waiter = new Waiter(kernel, execution, questionRow(changes), acts, promised)
  const handed = vi.spyOn(kernel.outbox, 'acknowledge').mockReturnValue()
  const kicked = vi.spyOn(kernel.outbox, 'runSoon').mockReturnValue()
  return { ...bare, execution, waiter, ends, handed, kicked }
}

test.each<[string, QuestionRow, unknown]>([
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
    questionRow({ status: 'deferred', pending: { message: 'later', queued: false } }),
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
  const { waiter, ends, reported } = world()
  await waiter.update(row, 0)
  await waiter.update(row, 0)
  expect(ends).toHaveLength(1)
  if (typeof expected === 'object') expect(ends[0]).toMatchObject(expected as object)
  else expect(ends[0]).toBe(expected)
  expect(waiter.over).toBe(true)
  const endedAt = row.endedAt ?? row.askedAt
  expect(reported).toMatchObject([
    { type: 'resumed', at: endedAt, waitedMs: endedAt - row.askedAt, interactionId: 'q1' },
  ])
})

test('an outcome is acknowledged by the waiter that received it, and delivered if the waiter has stopped', async () => {
  const delivery = { delivery: 'd1' }
  const here = world()
  await here.waiter.update(over({ type: 'complete' }, delivery), 0)
  expect([here.handed.mock.calls, here.kicked.mock.calls]).toEqual([[[here.execution.partition, 'd1']], []])
  const gone = world()
  gone.waiter.detach(new Error('gone'))
  await gone.waiter.update(over({ type: 'refused', outcome: 'denied' }, delivery), 0)
  expect([gone.handed.mock.calls, gone.kicked.mock.calls]).toEqual([[], [[]]])
  for (const row of [over({ type: 'complete' }), over({ type: 'follow_up' }, delivery)]) {
    const none = world()
    await none.waiter.update(row, 0)
    expect([none.handed.mock.calls, none.kicked.mock.calls]).toEqual([[], []])
  }
})

test('an execution that lost its call, or whose question was removed, does not continue', async () => {
  const lost = world()
  lost.execution.fence = 1
  await lost.waiter.update(over({ type: 'complete', value: 1 }), 2)
  expect(lost.ends).toMatchObject([{ code: 'ownership_lost' }])
  const gone = world()
  await gone.waiter.update(null, undefined)
  expect(gone.ends).toMatchObject([{ outcome: 'superseded', interactionId: 'q1' }])
  const unclaimed = world()
  await unclaimed.waiter.update(questionRow(), undefined)
  expect([unclaimed.ends, unclaimed.waiter.over]).toEqual([[], false])
})

test('a waiter keeps waiting while its question is open', async () => {
  const { waiter, ends } = world()
  await waiter.update(questionRow(), 0)
  expect([ends, waiter.over, waiter.isHandling]).toEqual([[], false, false])
})

test('a cancellation calls the handler first, and ignores what the handler returns', async () => {
  const told: string[] = []
  const cancelled = over({ type: 'refused', outcome: 'cancelled' })
  const fine = world({ onCancel: () => void told.push('cancelled') })
  await fine.waiter.update(cancelled, 0)
  await fine.waiter.update(cancelled, 0)
  expect(told).toEqual(['cancelled'])
  const broken = world({ onCancel: () => Promise.reject(new Error('oh no')) })
  await broken.waiter.update(cancelled, 0)
  expect(broken.ends).toMatchObject([{ outcome: 'cancelled' }])
  expect(broken.logged).toMatchObject([['warn', 'onCancel failed', { interactionId: 'q1' }]])
  const expired = world({ onCancel: () => void told.push('expired') })
  await expired.waiter.update(over({ type: 'refused', outcome: 'expired' }), 0)
  expect(told).toEqual(['cancelled'])
})

test('a question is shown once, to a client of its owner or its audience', () => {
  const request = { ...questionRow().request, audience: ['boss'] } as QuestionRow['request']
  const { waiter, reported } = world({}, { request })
  waiter.show(new Set(), 1)
  waiter.show(new Set(['eve']), 2)
  expect(reported).toEqual([])
  waiter.show(new Set(['eve', 'boss']), 3)
  waiter.show(new Set(['ada']), 4)
  const { tenant, sessionId, runId, toolCallId, toolName } = IDENTITY
  expect(reported).toEqual([
    {
      type: 'shown',
      at: 3,
      tenant,
      sessionId,
      runId,
      toolCallId,
      toolName,
      interactionId: 'q1',
      kind: 'approval',
      attempt: 1,
    },
  ])
  const own = world()
  own.waiter.show(new Set(['ada']), 4)
  expect(own.reported).toHaveLength(1)
})

test('a stopped or settled waiter does not compute the outcome of a plain answer', async () => {
  const plain = () => ({ complete: 'yes' })
  const waiting = world({ plain })
  expect(waiting.waiter.plain(answer, questionRow())).toEqual({ complete: 'yes' })
  waiting.waiter.fail(new Error('over'))
  expect(waiting.waiter.plain(answer, questionRow())).toBeUndefined()
  const gone = world({ plain })
  gone.waiter.detach(new Error('gone'))
  expect(gone.waiter.plain(answer, questionRow())).toBeUndefined()
})

test('a waiter fails once, and reports nothing afterwards', async () => {
  const { waiter, ends } = world()
  waiter.fail(new Error('first'))
  waiter.fail(new Error('second'))
  await waiter.update(over({ type: 'complete', value: 1 }), 0)
  expect(ends).toMatchObject([{ message: 'first' }])
})

/** A question that is really asked, and that `settle` answers. */
async function asked(behavior: Partial<Behavior>) {
  const all = world(behavior)
  const { kernel, execution, waiter, partition } = all
  const ask = {
    ...({ key: 'k', kind: 'approval', digest: 'd', timeoutMs: 60_000, shortcut: false, onTimeout: false } as const),
    event: ({ interactionId }: { interactionId: string }) => ({ ...questionRow().request, interactionId }) as never,
  } as const
  const opened = await openQuestion(kernel, execution, ask)
  if (opened.type !== 'question') throw new Error('the approval was remembered')
  waiter.interactionId = opened.row.id
  const row = (id = opened.row.id) =>
    kernel.transact(partition, async (tx) => {
      const [live, ended] = await tx.read(['question', id], ['ended', id])
      return live ?? ended
    })
  return {
    ...all,
    id: opened.row.id,
    stored: row,
    async settle(said: Partial<Answered> = {}) {
      await kernel.transact(partition, async (tx) => {
        const [found] = await tx.read(['question', opened.row.id], ['ended', opened.row.id])
        if (found) settleIn(kernel, tx, found, { ...answer, ...said })
      })
      return await row()
    },
    change: (changes: Partial<QuestionRow>) =>
      kernel.transact(partition, async (tx) => {
        const [found] = await tx.read(['question', opened.row.id])
        if (found) tx.put('question', found.id, { ...found, ...changes })
        return found && { ...found, ...changes }
      }),
  }
}

test('a handler receives the answer, an idempotency key and the attempt, and its result is recorded and resolves the call', async () => {
  const given: unknown[] = []
  const all = await asked({
    onResponse(said, row, info) {
      given.push(said.reason, row.id, info.idempotencyKey, info.interactionId, info.attempt, info.signal.aborted)
      return { complete: { done: true } }
    },
  })
  const row = await all.settle({ reason: 'why not' })
  await all.waiter.update(row, all.execution.fence)
  expect(given).toEqual(['why not', all.id, `${all.id}:answered`, all.id, 1, false])
  expect(all.ends).toEqual([{ done: true }])
  expect(await all.stored()).toMatchObject({ outcome: { type: 'complete', value: { done: true } } })
  expect(all.waiter.isHandling).toBe(false)
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
  async (_what, returned, said) => {
    const all = await asked({ onResponse: () => returned as never })
    await all.waiter.update(await all.settle(), all.execution.fence)
    expect(all.ends).toMatchObject([{ code: 'invalid_outcome', message: expect.stringContaining(said) }])
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
  await all.waiter.update(await all.settle(), all.execution.fence)
  expect(all.ends).toEqual([error])
  expect(await all.stored()).toMatchObject({ outcome: { type: 'failed' } })
})

test('a result that cannot be recorded counts as a failure of the handler', async () => {
  const all = await asked({ onResponse: () => ({ complete: 1n }) })
  await all.waiter.update(await all.settle(), all.execution.fence)
  expect(all.ends).toMatchObject([{ code: 'not_recordable' }])
  expect(await all.stored()).toMatchObject({ outcome: { type: 'failed' } })
  const closed = await asked({ onResponse: () => ({ complete: 1 }) })
  const row = await closed.settle()
  vi.spyOn(closed.store, 'commit').mockRejectedValue(new HoldpointError('store_closed', 'closed'))
  await closed.waiter.update(row, closed.execution.fence)
  expect(closed.ends).toMatchObject([{ code: 'store_closed' }])
  expect(closed.logged).toContainEqual([
    'error',
    'an outcome could not be recorded',
    expect.objectContaining({ interactionId: closed.id }),
  ])
  expect([await closed.stored(), closed.waiter.isHandling]).toMatchObject([{ status: 'answered' }, false])
})

test('the signal of a handler is aborted if the handler is interrupted or its call is lost', async () => {
  const heard: unknown[] = []
  const slow = async () =>
    await asked({
      onResponse: (_said, _row, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            heard.push(signal.reason)
            resolve({ complete: 'late' })
          })
        }),
    })
  const interrupted = await slow()
  const looking = interrupted.waiter.update(await interrupted.settle(), interrupted.execution.fence)
  expect(interrupted.waiter.isHandling).toBe(true)
  interrupted.waiter.interrupt()
  await looking
  expect(heard).toMatchObject([{ outcome: 'cancelled', interactionId: interrupted.id }])
  const failed = await slow()
  void failed.waiter.update(await failed.settle(), failed.execution.fence)
  failed.waiter.fail(new Error('lost'))
  const cancelled = await slow()
  void cancelled.waiter.update(await cancelled.settle(), cancelled.execution.fence)
  cancelled.execution.cancel('enough')
  expect(heard.slice(1)).toMatchObject([{ message: 'lost' }, { outcome: 'cancelled' }])
})

test('a timeout calls onTimeout if the tool has it, and otherwise rejects', async () => {
  const decides = await asked({ onTimeout: ({ idempotencyKey }) => ({ complete: idempotencyKey }) })
  await decides.waiter.update(await decides.change({ status: 'timing_out' }), decides.execution.fence)
  expect(decides.ends).toEqual([`${decides.id}:timing_out`])
  const silent = await asked({})
  await silent.waiter.update(await silent.change({ status: 'timing_out' }), silent.execution.fence)
  const [error] = silent.ends
  expect(error).toBeInstanceOf(InteractionRefused)
  expect(error).toMatchObject({ outcome: 'expired', interactionId: silent.id })
})

test('an answered row without an answer is reported as corrupt', async () => {
  const all = await asked({})
  await all.waiter.update(await all.change({ status: 'answered' }), all.execution.fence)
  expect(all.ends).toMatchObject([{ code: 'corrupt_question' }])
})

test('a waiter continues with the next prompt after a reprompt, and shows it', async () => {
  const all = await asked({ onResponse: () => ({ reprompt: { prompt: 'Really?' } }) })
  const { waiter, kernel, reported } = all
  const moved = vi.spyOn(kernel.waiters, 'move').mockImplementation((one, id) => {
    one.interactionId = id
  })
  waiter.show(new Set(['ada']), 1)
  await waiter.update(await all.settle(), all.execution.fence)
  expect([all.ends, waiter.over]).toEqual([[], false])
  expect(moved).toHaveBeenCalledOnce()
  waiter.show(new Set(['ada']), 2)
  const told = reported.filter(({ type }) => type === 'shown' || type === 'asked')
  expect(told.map(({ type, ...facts }) => [type, 'attempt' in facts && facts.attempt])).toEqual([
    ['shown', 1],
    ['asked', 2],
    ['shown', 2],
  ])
  expect(await all.stored(waiter.interactionId)).toMatchObject({ status: 'open', request: { prompt: 'Really?' } })
  // Another look at the one before comes to the same.
  await waiter.update(await all.stored(), all.execution.fence)
  expect(moved).toHaveBeenLastCalledWith(waiter, waiter.interactionId)
})

test('a question that was ended while its handler ran stays ended', async () => {
  const all = await asked({})
  const row = await all.settle()
  await all.kernel.transact(all.partition, async (tx) => {
    const [found] = await tx.read(['question', all.id])
    const outcome = { type: 'refused', outcome: 'cancelled' } as const
    if (found) putQuestion(tx, { ...found, status: 'cancelled', outcome })
  })
  await all.waiter.update(row, all.execution.fence)
  expect(all.ends).toMatchObject([{ outcome: 'cancelled' }])
})

test('a question that is still open after a notification is checked again', async () => {
  const all = await asked({})
  const row = await all.settle()
  await all.change({ status: 'open' })
  const looked = vi.spyOn(all.kernel.waiters, 'check')
  await all.waiter.update(row, all.execution.fence)
  expect([all.ends, looked.mock.calls]).toEqual([[], [[all.partition, all.id]]])
})
