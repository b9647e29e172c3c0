import { expect, test, vi } from 'vitest'
import { bareKernel, IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import { Deferred } from '../../base/deferred.ts'
import { callRefs, claimCall } from '../calls/claim-call.ts'
import type { Execution } from '../calls/execution.ts'
import { putQuestion } from '../records/question-records.ts'
import type { QuestionRow } from '../state/rows.ts'
import type { Behavior } from './waiter.ts'

const complete = { type: 'complete', value: 'done' } as const

async function world() {
  const bare = bareKernel()
  const { kernel, clock, partition, store } = bare
  await kernel.ready()
  await clock.settle()
  const ends: [id: string, end: unknown][] = []
  const loads = vi.spyOn(store, 'load')
  const claim = (execution: Execution) =>
    kernel.transact(partition, async (tx) => {
      claimCall(kernel, tx, execution, await tx.read(...callRefs(execution)))
    })
  const write = (id: string, changes: Partial<QuestionRow> = {}) => bare.ask({ id, ...changes })
  const writeUnnoticed = (id: string, changes: Partial<QuestionRow>) =>
    bare.unnoticed((node) => bare.ask({ id, ...changes }, node))
  return {
    ...bare,
    ends,
    loads,
    claim,
    write,
    writeUnnoticed,
    waiters: kernel.waiters,
    /** Stores a question and waits for it. */
    async wait(id: string, execution = bare.execution(), behavior: Partial<Behavior> = {}) {
      const row = await write(id)
      const promised = new Deferred<{ type: 'value'; value: unknown }>(
        ({ value }) => void ends.push([id, value]),
        (error) => void ends.push([id, error]),
      )
      const waiter = kernel.waiters.wait(execution, row, { onResponse: () => ({ complete: 1 }), ...behavior }, promised)
      return { waiter, execution }
    },
    /** Questions that were looked up since. */
    looked: () =>
      loads.mock.calls.flatMap(([refs]) => refs.flatMap(({ kind, id }) => (kind === 'question' ? [id] : []))).sort(),
  }
}

test('a waiter is notified of writes to its session by any process', async () => {
  const { wait, write, clock, ends, waiters } = await world()
  await wait('q1')
  await wait('q2')
  await clock.settle()
  expect([ends, waiters.size]).toEqual([[], 2])
  await write('q1', { outcome: complete })
  await clock.settle()
  expect([ends, waiters.size]).toEqual([[['q1', 'done']], 1])
})

test('an outcome from before the wait is returned at once', async () => {
  const { write, wait, clock, ends, execution, kernel } = await world()
  const row = await write('q1', { outcome: complete })
  const promised = new Deferred<{ type: 'value'; value: unknown }>(
    ({ value }) => void ends.push(['q1', value]),
    () => {},
  )
  kernel.waiters.wait(execution(), row, { onResponse: () => ({ complete: 1 }) }, promised)
  await clock.settle()
  expect(ends).toEqual([['q1', 'done']])
  await wait('q2')
})

test('a waiter learns its outcome within a second if a notification was lost', async () => {
  const { wait, writeUnnoticed, clock, ends } = await world()
  await wait('q1')
  await clock.settle()
  await writeUnnoticed('q1', { outcome: complete })
  await clock.advance(900)
  expect(ends).toEqual([])
  await clock.advance(200)
  expect(ends).toEqual([['q1', 'done']])
})

test('polling runs while there are waiters, and checks one page of them at a time, in turn', async () => {
  const { clock, execution, waiters, loads, looked, put } = await world()
  for (let n = 0; n < 320; n++) {
    const own = execution({ sessionId: `chat-${n}` })
    const row = questionRow({ ...IDENTITY, id: `q${n}` })
    await put('question', row.id, row, own.partition)
    waiters.wait(own, row, { onResponse: () => ({ complete: 1 }) }, new Deferred(vi.fn(), vi.fn()))
  }
  await clock.settle()
  expect(waiters.size).toBe(320)
  loads.mockClear()
  await clock.advance(1_000)
  expect([looked().length, new Set(looked()).size]).toEqual([300, 300])
  await clock.advance(1_000)
  expect([looked().length, new Set(looked()).size]).toEqual([600, 320])
  for (let n = 0; n < 320; n++) {
    const waiter = waiters.find(`s//chat-${n}`, `q${n}`)
    if (waiter) waiters.remove(waiter)
  }
  loads.mockClear()
  await clock.advance('1m')
  expect(looked()).toEqual([])
})

test('a session with many waiters checks only those that its log names', async () => {
  const { wait, clock, kernel, store, partition, loads, looked } = await world()
  const execution = (await wait('q100')).execution
  for (let n = 101; n < 120; n++) await wait(`q${n}`, execution)
  await clock.settle()
  // Another process writes.
  const say = (...events: object[]) => store.commit({ partition, events: events.map((event) => JSON.stringify(event)) })
  const name = (interactionId: string) => say({ type: 'interaction_updated', interactionId })
  // At the first read the earlier log is unknown.
  await name('q105')
  await clock.settle()
  loads.mockClear()
  await name('q105')
  await clock.settle()
  expect(looked()).toEqual(['q105'])
  loads.mockClear()
  await say({ type: 'content', text: 'x' })
  await clock.settle()
  expect(looked()).toEqual([])
  // More than a page of it: who knows whom it named.
  await say(...Array.from({ length: 500 }, () => ({ type: 'content', text: 'x' })))
  await clock.settle()
  expect(looked()).toHaveLength(20)
  loads.mockClear()
  // The process does not read its own writes.
  await kernel.transact(partition, async (tx) => tx.event({ type: 'x', interactionId: 'q110' } as never))
  await clock.settle()
  expect(looked()).toEqual([])
})

test('a session with few waiters needs no log', async () => {
  const { wait, clock, store, partition } = await world()
  const { execution } = await wait('q100')
  for (let n = 101; n < 116; n++) await wait(`q${n}`, execution)
  await clock.settle()
  const read = vi.spyOn(store, 'readLog')
  await store.commit({ partition, events: ['{"type":"content","text":"x"}'] })
  await clock.settle()
  expect(read).not.toHaveBeenCalled()
})

test('all waiters of a session are checked if its log was replaced', async () => {
  const { wait, clock, partition, looked, loads, store } = await world()
  const { execution } = await wait('q100')
  for (let n = 101; n < 120; n++) await wait(`q${n}`, execution)
  const say = (count: number) =>
    store.commit({ partition, events: Array.from({ length: count }, () => '{"type":"content","text":"x"}') })
  await say(10)
  await clock.settle()
  const { readLog } = store
  for (const page of [{ head: 3 }, { floor: 12 }]) {
    loads.mockClear()
    vi.spyOn(store, 'readLog').mockImplementationOnce(async (...args) => ({ ...(await readLog(...args)), ...page }))
    await say(1)
    await clock.settle()
    expect(looked()).toHaveLength(20)
  }
})

test('a waiter is not checked during its own commit, and is checked once after it', async () => {
  const { wait, write, clock, ends, waiters, loads } = await world()
  const { waiter } = await wait('q1')
  await clock.settle()
  waiters.hold(waiter)
  waiters.hold(waiter)
  await write('q1', { outcome: complete })
  await clock.settle()
  waiters.release(waiter)
  await clock.settle()
  expect(ends).toEqual([])
  waiters.release(waiter)
  await clock.settle()
  expect(ends).toEqual([['q1', 'done']])
  loads.mockClear()
  waiters.hold(waiter)
  waiters.release(waiter)
  await clock.settle()
  expect(loads).not.toHaveBeenCalled()
})

test('a waiter is removed when it has settled, and not before', async () => {
  const { wait, waiters, clock, partition, ends } = await world()
  const { waiter } = await wait('q1')
  waiters.notify(waiter, questionRow({ id: 'q1' }), 0)
  await clock.settle()
  expect(waiters.find(partition, 'q1')).toBe(waiter)
  waiters.notify(waiter, questionRow({ id: 'q1', outcome: complete }), 0)
  await clock.settle()
  expect([waiters.find(partition, 'q1'), waiters.size, ends.length]).toEqual([undefined, 0, 1])
  waiters.remove(waiter)
  expect(waiters.size).toBe(0)
})

test('a newer waiter for a question replaces the older one, which rejects', async () => {
  const { wait, waiters, partition, ends, clock, execution } = await world()
  const older = await wait('q1')
  const newer = await wait('q1', execution())
  expect(waiters.find(partition, 'q1')).toBe(newer.waiter)
  expect([waiters.size, older.execution.waiting, newer.execution.waiting]).toEqual([1, 0, 1])
  expect(ends).toMatchObject([['q1', { code: 'ownership_lost' }]])
  // The older waiter no longer waits: removing it changes nothing.
  waiters.remove(older.waiter)
  expect(waiters.find(partition, 'q1')).toBe(newer.waiter)
  await clock.settle()
})

test('a bare execution runs as long as one of its questions waits, and a registered one until its tool ends', async () => {
  const { wait, waiters, kernel, execution } = await world()
  const bare = execution()
  const first = await wait('q1', bare)
  const second = await wait('q2', bare)
  expect([kernel.calls.size, bare.waiting]).toEqual([1, 2])
  waiters.remove(first.waiter)
  expect([kernel.calls.size, bare.waiting]).toEqual([1, 1])
  waiters.remove(second.waiter)
  expect([kernel.calls.size, bare.waiting]).toEqual([0, 0])
  const registered = execution({ toolCallId: 'call-2' }, { registered: true })
  const third = await wait('q3', registered)
  waiters.remove(third.waiter)
  expect(kernel.calls.size).toBe(1)
})

test('a waiter that moves to the next prompt is notified of that prompt only', async () => {
  const { wait, write, waiters, partition, clock, ends } = await world()
  const { waiter } = await wait('q1')
  await write('q2')
  waiters.move(waiter, 'q2')
  expect([waiters.find(partition, 'q1'), waiters.find(partition, 'q2')]).toEqual([undefined, waiter])
  await write('q1', { outcome: complete })
  await clock.settle()
  expect(ends).toEqual([])
  await write('q2', { outcome: { type: 'complete', value: 'second' } })
  await clock.settle()
  expect(ends).toEqual([['q1', 'second']])
})

test('a waiter that moved during its check is not notified of the earlier prompt', async () => {
  const { wait, write, waiters, clock, ends, store } = await world()
  const { waiter } = await wait('q1')
  await clock.settle()
  await write('q2')
  const { load } = store
  vi.spyOn(store, 'load').mockImplementationOnce(async (refs) => {
    const found = await load(refs)
    waiters.move(waiter, 'q2')
    return found
  })
  await write('q1', { outcome: complete })
  await clock.settle()
  expect(ends).toEqual([])
})

test('a handler runs once, and is interrupted when its question ends or its call is lost', async () => {
  const signals: AbortSignal[] = []
  const { wait, write, clock, execution, claim, put, row, partition, kernel } = await world()
  const own = execution()
  await claim(own)
  await wait('q1', own, {
    onResponse: (_answer, _row, { signal }) => {
      signals.push(signal)
      return new Promise(() => {})
    },
  })
  const answer = { answerId: 'a', digest: 'd', at: 0, by: { clientId: 'tab' }, action: 'approve' } as const
  await write('q1', { status: 'answered', answer })
  await clock.settle()
  await write('q1', { status: 'answered', answer, lookAgainAt: 1 })
  await clock.settle()
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  const call = await row('call', own.id)
  if (call) await put('call', own.id, { ...call, fence: 9 })
  await kernel.transact(partition, async (tx) => tx.event({ type: 'x' } as never))
  await clock.settle()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('a cancelled run cancels its executions with the reason', async () => {
  const { wait, put, clock, execution } = await world()
  const own = execution()
  await wait('q1', own)
  await put('idle', 'run-1', { runId: 'run-1', status: 'completed', waiting: {} })
  await clock.settle()
  expect(own.signal.aborted).toBe(false)
  await put('idle', 'run-1', { runId: 'run-1', status: 'cancelled', reason: 'enough', waiting: {} })
  await clock.settle()
  expect(own.signal.reason).toMatchObject({ outcome: 'cancelled', reason: 'enough' })
})

test('a store that fails once is asked again, and the failure is logged', async () => {
  const { wait, writeUnnoticed, clock, ends, store, logged } = await world()
  await wait('q1')
  await clock.settle()
  await writeUnnoticed('q1', { outcome: complete })
  vi.spyOn(store, 'load').mockRejectedValueOnce(new Error('away'))
  await clock.advance(1_000)
  expect(logged).toContainEqual(['warn', expect.stringContaining('could not be read'), expect.anything()])
  await clock.advance(1_000)
  expect(ends).toEqual([['q1', 'done']])
})

test('a client that can answer is shown the open questions of its session', async () => {
  const { wait, waiters, partition, reported } = await world()
  await wait('q1')
  await wait('q2')
  waiters.shown('s//other', new Set(['ada']), 1)
  expect(reported).toEqual([])
  waiters.shown(partition, new Set(['ada']), 1)
  expect(reported.map((event) => 'interactionId' in event && event.interactionId)).toEqual(['q1', 'q2'])
})

test('waiters keep the process alive until the last one is removed', async () => {
  const { wait, waiters, isKeptAlive } = await world()
  expect(isKeptAlive()).toBe(false)
  const { waiter } = await wait('q1')
  await wait('q2')
  expect(isKeptAlive()).toBe(true)
  waiters.remove(waiter)
  expect(isKeptAlive()).toBe(true)
  const last = waiters.find('s//chat', 'q2')
  if (last) waiters.remove(last)
  expect(isKeptAlive()).toBe(false)
})

test('the promise of a waiter never settles when the process closes', async () => {
  const { wait, write, waiters, clock, ends, partition } = await world()
  await wait('q1')
  await clock.settle()
  waiters.close()
  await write('q1', { outcome: complete })
  waiters.check(partition, 'q1')
  waiters.checkAll()
  await clock.advance('1m')
  expect([ends, waiters.size]).toEqual([[], 0])
})

test('checkAll checks every waiter, regardless of notifications', async () => {
  const { wait, writeUnnoticed, waiters, clock, ends } = await world()
  await wait('q1')
  await clock.settle()
  await writeUnnoticed('q1', { outcome: complete })
  waiters.checkAll()
  await clock.settle()
  expect(ends).toEqual([['q1', 'done']])
})

test('a question that this process just asked is read only if something else changed it', async () => {
  const { kernel, partition, loads, clock, execution, waiters, write, ends, ask, store } = await world()
  const behavior = { onResponse: () => ({ complete: 1 }) }
  const open = async (id: string, meanwhile: () => Promise<unknown>) => {
    const row = questionRow({ ...IDENTITY, id, askedAt: clock.now(), expiresAt: clock.now() + 60_000 })
    // The first one subscribes; a notification from before that could have been missed.
    waiters.expect(partition, row)
    waiters.unexpect(row)
    waiters.expect(partition, row)
    await kernel.transact(partition, async (tx) => putQuestion(tx, row))
    await meanwhile()
    await clock.settle()
    loads.mockClear()
    const promised = new Deferred<{ type: 'value'; value: unknown }>(
      ({ value }) => void ends.push([id, value]),
      () => {},
    )
    const waiter = waiters.wait(execution({ toolCallId: id }), row, behavior, promised)
    await clock.settle()
    waiters.remove(waiter)
    return loads.mock.calls.length > 0
  }
  expect(await open('q1', async () => {})).toBe(false)
  expect(await open('q2', () => ask({ id: 'q9' }))).toBe(false)
  expect(await open('q3', () => write('q3', { outcome: complete }))).toBe(true)
  expect(await open('q4', () => store.commit({ partition, events: ['{"type":"content"}'] }))).toBe(true)
  expect(ends).toEqual([['q3', 'done']])
})
