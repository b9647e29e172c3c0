import { HoldpointError } from '@holdpoint/core'
import { expect, test, vi } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { Progress } from './progress.ts'

async function world(fence = 0) {
  const bare = bareKernel()
  const { kernel, store, clock, put, log } = bare
  await put('session', 'session', { tenant: '', sessionId: 'chat', userId: 'ada', createdAt: 0 })
  await kernel.ready()
  await clock.settle()
  const execution = bare.execution()
  execution.fence = fence
  const { commit } = store
  let locked: Promise<void> = Promise.resolve()
  let unlock = () => {}
  const spy = vi.spyOn(store, 'commit').mockImplementation(async (item) => {
    await locked
    return await commit(item)
  })
  return {
    ...bare,
    spy,
    progress: new Progress(kernel, execution),
    /** Holds up whatever is written until `unlock`. */
    lock() {
      locked = new Promise((resolve) => {
        unlock = resolve
      })
    },
    unlock: () => unlock(),
    told: async () => (await log()).map(({ logs, status, output, input }) => logs ?? { status, output, input }),
    call: (callFence: number) =>
      put('call', 'run-1/call-1', {
        ...{ runId: 'run-1', toolCallId: 'call-1', toolName: 't', registered: true, status: 'running' },
        ...{ fence: callFence, startedAt: 0, keys: {} },
      }),
  }
}
/** Whether a promise has come true by now. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false
  void promise.then(() => {
    done = true
  })
  await new Promise<void>(setImmediate)
  return done
}
const lines = (count: number) => Array.from({ length: count }, (_, n) => `${n}`)

test('log lines of one tick are one event, with their call and time', async () => {
  const { progress, log, clock } = await world()
  for (const line of ['a', 'b']) void progress.line(line)
  await progress.drained()
  expect(await log()).toEqual([
    {
      ...{ type: 'tool_call_update', timestamp: new Date(clock.now()).toISOString() },
      ...{ sessionId: 'chat', runId: 'run-1', toolCallId: 'call-1', logs: ['a', 'b'] },
      toolName: 'delete_files',
    },
  ])
})

test('an event contains at most a hundred log lines', async () => {
  const { progress, told } = await world()
  for (const line of lines(201)) void progress.line(line)
  await progress.drained()
  expect((await told()).map((logs) => (logs as string[]).length)).toEqual([100, 100, 1])
})

test('an event has a byte limit, and a line above its length limit is shortened with a mark', async () => {
  const { progress, log } = await world()
  // 6 bytes each as JSON, so that six lines are too much for one event.
  const line = '\u0001'.repeat(8_192)
  for (let n = 0; n < 6; n++) void progress.line(line)
  void progress.line(`${line}x`)
  await progress.drained()
  const logs = (await log()).map(({ logs }) => logs as string[])
  expect(logs.map(({ length }) => length)).toEqual([5, 2])
  expect(logs.flat().map(({ length }) => length)).toEqual([...Array.from({ length: 6 }, () => 8_192), 8_193])
  expect(logs.flat().at(-1)?.endsWith('…')).toBe(true)
})

test('an update keeps its position among lines, and resolves when readers can receive it', async () => {
  const { progress, told, lock, unlock } = await world()
  lock()
  void progress.line('a')
  const updated = progress.update({ status: 'running', output: 1 })
  void progress.line('b')
  expect(await isDone(updated)).toBe(false)
  unlock()
  await updated
  expect(await told()).toEqual([['a'], { status: 'running', output: 1 }])
  await progress.drained()
  expect((await told()).at(-1)).toEqual(['b'])
})

test('a caller that awaits is blocked at five hundred pending lines, and continues when lines are written', async () => {
  const { progress, lock, unlock } = await world()
  lock()
  const written = lines(500).map((line) => progress.line(line))
  expect(await Promise.all(written.slice(0, 499).map(isDone))).not.toContain(false)
  const [last = progress.drained()] = written.slice(499)
  expect(await isDone(last)).toBe(false)
  unlock()
  await last
})

test('a caller that awaits is blocked at one mebibyte of pending lines', async () => {
  const { progress, lock, unlock } = await world()
  lock()
  const line = 'x'.repeat(8_190)
  const written = Array.from({ length: 128 }, () => progress.line(line))
  expect(await isDone(written[126] as Promise<void>)).toBe(true)
  expect(await isDone(written[127] as Promise<void>)).toBe(false)
  unlock()
  await Promise.all(written)
})

test('a blocked caller continues at half of the lines, before all are written', async () => {
  const { progress, spy } = await world()
  const commits: number[] = []
  const held = lines(600).map((line) => progress.line(line))
  void held.at(-1)?.then(() => commits.push(spy.mock.calls.length))
  await progress.drained()
  await new Promise<void>(setImmediate)
  // With the second of six events fewer than five hundred wait.
  expect(commits[0]).toBeLessThan(6)
})

test('written bytes do not count against the limit', async () => {
  const { progress, told } = await world()
  const line = 'x'.repeat(8_000)
  for (let n = 0; n < 1_200; n++) await progress.line(line)
  await progress.drained()
  expect((await told()).flat()).toHaveLength(1_200)
})

test.each(['with the next line', 'at the end'])(
  'lines beyond the limit are counted and not kept, and their number is reported %s',
  async (when) => {
    const { progress, lock, unlock, told } = await world()
    lock()
    const line = 'x'.repeat(8_190)
    // 8 MiB are 1,024 of these.
    const written = Array.from({ length: 1_030 }, () => progress.line(line))
    unlock()
    await Promise.all(written)
    if (when === 'with the next line') await progress.line('after')
    await progress.drained()
    const all = (await told()).flat() as string[]
    const last = when === 'with the next line' ? ['after'] : []
    expect(all.splice(1_024)).toEqual([expect.stringContaining('… 6 lines were left out'), ...last])
    expect(all.every((one) => one === line)).toBe(true)
  },
)

test('without skipped lines no number is reported', async () => {
  const { progress, told, spy } = await world()
  await progress.drained()
  await progress.line('a')
  await progress.drained()
  await progress.drained()
  expect([await told(), spy.mock.calls.length]).toEqual([[['a']], 1])
})

test('an execution that lost its call writes no progress', async () => {
  const { progress, told, call } = await world(1)
  await call(2)
  await progress.line('late')
  await progress.drained()
  expect(await told()).toEqual([])
})

test('an execution that owns its call or never claimed one writes its progress', async () => {
  const owner = await world(2)
  await owner.call(2)
  await owner.progress.line('a')
  await owner.progress.drained()
  expect(await owner.told()).toEqual([['a']])
  const bare = await world()
  await bare.call(5)
  await bare.progress.line('a')
  await bare.progress.drained()
  expect(await bare.told()).toEqual([['a']])
})

test('progress creates its session if it is the first event', async () => {
  const { kernel, log, execution, row } = bareKernel()
  const progress = new Progress(kernel, execution())
  await progress.update({ status: 'running' })
  expect(await log()).toMatchObject([{ type: 'tool_call_update', status: 'running', toolName: 'delete_files' }])
  expect(await row('session', 'session')).toMatchObject({ userId: 'ada' })
})

test('a closed store blocks no caller, and drops the waiting lines', async () => {
  const { progress, spy, logged, told } = await world()
  spy.mockRejectedValueOnce(new HoldpointError('store_closed', 'closed'))
  const held = lines(600).map((line) => progress.line(line))
  const updated = progress.update({ status: 'running' })
  await Promise.all([...held, updated, progress.drained()])
  expect(logged).toContainEqual([
    'error',
    'writing the progress of a tool failed',
    expect.objectContaining({ code: 'store_closed' }),
  ])
  expect(await told()).toEqual([])
  await progress.line('a')
  await progress.drained()
  expect(await told()).toEqual([['a']])
})

test('progress is written later if the store is unavailable', async () => {
  const { progress, spy, told, clock } = await world()
  for (let n = 0; n < 6; n++) spy.mockRejectedValueOnce(new HoldpointError('store_full', 'full'))
  const updated = progress.update({ status: 'running' })
  await clock.advance('1m')
  await updated
  expect(await told()).toEqual([{ status: 'running' }])
})
