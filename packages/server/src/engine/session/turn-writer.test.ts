import { HoldpointError } from '@holdpoint/core'
import { expect, test, vi } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { turnId } from '../records/keys.ts'
import { TurnWriter } from './turn-writer.ts'

const RUN = { sessionId: 'chat', runId: 'run-1' }

async function world(limits = {}) {
  const bare = bareKernel({ limits })
  const { kernel, store, put, partition, log, clock } = bare
  await kernel.ready()
  await clock.settle()
  const turn = (changes: { fence?: number; ended?: true } = {}) =>
    put('turn', turnId(), { fence: 3, runId: 'run-1', ...changes })
  await turn()
  const stop = vi.fn()
  const { subscribe } = store
  vi.spyOn(store, 'subscribe').mockImplementation((listener) => {
    const end = subscribe(listener)
    return () => {
      stop()
      end()
    }
  })
  const { commit } = store
  let locked: Promise<void> = Promise.resolve()
  let unlock = () => {}
  const commits = vi.spyOn(store, 'commit').mockImplementation(async (item) => {
    await locked
    return await commit(item)
  })
  return {
    ...bare,
    turn,
    stop,
    commits,
    writer: new TurnWriter(kernel, partition, { ...RUN, fence: 3 }),
    lock() {
      locked = new Promise((resolve) => {
        unlock = resolve
      })
    },
    unlock: () => unlock(),
    said: async () => (await log()).map(({ type, text, toolCallId }) => text ?? `${type} ${toolCallId}`),
  }
}
const text = (said: string) => ({ type: 'content', text: said })
const start = (toolCallId: string) => ({ type: 'tool_call_start', toolCallId, toolName: 't' })
/** Whether a promise has come true by now. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  const later = new Promise((resolve) => setImmediate(resolve, 'later'))
  return (await Promise.race([promise.then(() => 'done'), later])) === 'done'
}

test('events of one tick are written once, in order and with their principal, and texts are joined', async () => {
  const { writer, log, commits, clock } = await world()
  for (const said of [text('a'), text('b'), start('c1'), text('c')]) void writer.write(said)
  await writer.drained()
  const base = { timestamp: new Date(clock.now()).toISOString(), ...RUN }
  expect(await log()).toEqual([
    { ...base, ...text('ab') },
    { ...base, ...start('c1') },
    { ...base, ...text('c') },
  ])
  expect(commits).toHaveBeenCalledOnce()
})

test('a text event of the caller is not changed by joining', async () => {
  const { writer } = await world()
  const said = text('a')
  void writer.write(said)
  void writer.write(text('b'))
  await writer.drained()
  expect(said).toEqual(text('a'))
})

test('texts are joined up to a length limit', async () => {
  const { writer, said } = await world()
  const half = 'x'.repeat(8 * 1024)
  for (let n = 0; n < 3; n++) void writer.write(text(half))
  await writer.drained()
  expect((await said()).map((one) => String(one).length)).toEqual([16 * 1024, 8 * 1024])
})

test('a writer is blocked at 64 waiting events, and continues when they are written', async () => {
  const { writer, lock, unlock, said } = await world()
  lock()
  // The first one is on its way, and so does not wait.
  const early = writer.write(start('first'))
  await new Promise<void>(setImmediate)
  const written = Array.from({ length: 64 }, (_, n) => writer.write(start(`c${n}`)))
  expect(await isDone(early)).toBe(true)
  expect(await Promise.all(written.map(isDone))).toEqual([...Array.from({ length: 63 }, () => true), false])
  unlock()
  await Promise.all(written)
  await writer.drained()
  expect(await said()).toHaveLength(65)
})

test('a writer is blocked at 64 KiB of pending text, and continues when it is written', async () => {
  const { writer, lock, unlock } = await world()
  const quarter = 'x'.repeat(16 * 1024)
  for (let n = 0; n < 3; n++) {
    await writer.write(text(quarter))
    await writer.drained()
  }
  lock()
  const [one, two, three, four] = Array.from({ length: 4 }, () => writer.write(text(quarter)))
  expect(await Promise.all([one, two, three].map((write) => isDone(write as Promise<void>)))).toEqual([
    true,
    true,
    true,
  ])
  expect(await isDone(four as Promise<void>)).toBe(false)
  unlock()
  await four
})

test('only content events count as pending text', async () => {
  const { writer, lock, unlock } = await world()
  lock()
  expect(await isDone(writer.write({ ...start('c'), text: 'x'.repeat(100_000) } as never))).toBe(true)
  unlock()
  await writer.drained()
})

test('the events of a call that the engine runs are left to the engine', async () => {
  const { writer, said, put } = await world()
  await put('call', 'run-1/c1', {
    ...{ runId: 'run-1', toolCallId: 'c1', toolName: 't', registered: true, status: 'running' },
    ...{ fence: 1, startedAt: 0, keys: {} },
  })
  for (const one of [start('c1'), start('c2'), text('a')]) void writer.write(one)
  await writer.drained()
  expect(await said()).toEqual(['tool_call_start c2', 'a'])
})

test.each([
  ['another turn', { fence: 4 }],
  ['a stopped turn', { ended: true as const }],
])('a writer with %s writes nothing more and receives an error', async (_what, changes) => {
  const { writer, turn, said, stop, lock, unlock } = await world()
  lock()
  void writer.write(text('a'))
  const held = Array.from({ length: 70 }, (_, n) => writer.write(start(`c${n}`)).catch((error: unknown) => error))
  const changed = turn(changes)
  unlock()
  await changed
  await expect(writer.drained()).rejects.toMatchObject({ code: 'turn_superseded', details: { runId: 'run-1' } })
  expect(await Promise.all(held.slice(-5))).toMatchObject(
    Array.from({ length: 5 }, () => ({ code: 'turn_superseded' })),
  )
  await expect(writer.write(text('late'))).rejects.toMatchObject({ code: 'turn_superseded' })
  expect([await said(), stop.mock.calls.length > 0]).toEqual([[], true])
})

test('a turn without a row counts as ended', async () => {
  const { kernel, partition } = await world()
  const none = new TurnWriter(kernel, 's//none', { ...RUN, fence: 1 })
  await expect(none.guarded(async () => {})).rejects.toMatchObject({ code: 'turn_superseded' })
  expect(none.signal.aborted).toBe(true)
  expect(partition).not.toBe('s//none')
})

test('an idle writer learns of the end of its turn, from its own session only', async () => {
  const { writer, turn, clock, kernel, store } = await world()
  const loads = vi.spyOn(store, 'load')
  await kernel.transact('s//other', async (tx) => tx.event(text('x') as never))
  await clock.settle()
  expect(loads).not.toHaveBeenCalled()
  await kernel.transact('s//chat', async (tx) => tx.event(text('x') as never))
  await clock.settle()
  expect(writer.signal.aborted).toBe(false)
  await turn({ fence: 4 })
  await clock.settle()
  expect(writer.signal.reason).toMatchObject({ code: 'turn_superseded' })
})

test('a change during a write is checked after the write', async () => {
  const { writer, kernel, clock, store } = await world()
  const { commit } = store
  vi.spyOn(store, 'commit').mockImplementationOnce(async (item) => {
    const done = await commit(item)
    // Another process continues the session before this one learns that its write succeeded.
    await commit({
      partition: 's//chat',
      puts: [{ kind: 'turn', id: turnId(), data: JSON.stringify({ v: 1, d: { fence: 4, runId: 'r2' } }) }],
    })
    return done
  })
  await writer.write(text('a'))
  await clock.settle()
  expect(writer.signal.aborted).toBe(true)
  expect(kernel.log).toBeDefined()
})

test('a failed check is logged and ends nothing, and the next check runs', async () => {
  const { writer, turn, clock, store, kernel, logged } = await world()
  vi.spyOn(store, 'load').mockRejectedValueOnce(new HoldpointError('store_closed', 'closed'))
  await kernel.transact('s//chat', async (tx) => tx.event(text('x') as never))
  await clock.settle()
  expect(logged).toEqual([['warn', 'a turn could not be looked up', expect.objectContaining({ code: 'store_closed' })]])
  expect(writer.signal.aborted).toBe(false)
  await turn({ fence: 4 })
  await clock.settle()
  expect(writer.signal.aborted).toBe(true)
  expect(logged).toHaveLength(1)
})

test('an event that cannot be written ends the writer with its error, and later events are dropped', async () => {
  const { writer, said, stop, lock, unlock } = await world({ eventBytes: 1_000 })
  lock()
  void writer.write(text('a'))
  await new Promise<void>(setImmediate)
  void writer.write({ ...start('c1'), toolName: 'x'.repeat(2_000) })
  void writer.write(text('b'))
  unlock()
  await expect(writer.drained()).rejects.toMatchObject({ code: 'event_too_large' })
  expect([await said(), stop.mock.calls.length]).toEqual([['a'], 1])
})

test('events are written later, in order, if the store is unavailable', async () => {
  const { writer, said, commits, clock } = await world()
  for (let n = 0; n < 7; n++) commits.mockRejectedValueOnce(new HoldpointError('store_full', 'full'))
  void writer.write(text('a'))
  await clock.advance('10s')
  void writer.write(start('c1'))
  await clock.advance('1m')
  await writer.drained()
  expect(await said()).toEqual(['a', 'tool_call_start c1'])
})

test('a closed writer makes no further check', async () => {
  const { writer, turn, clock, stop } = await world()
  writer.close()
  await turn({ fence: 4 })
  await clock.settle()
  expect([writer.signal.aborted, stop.mock.calls.length]).toEqual([false, 1])
})
