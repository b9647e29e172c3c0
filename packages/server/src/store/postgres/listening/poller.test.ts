import { expect, onTestFinished, test, vi } from 'vitest'
import type { Connections, Rows } from '../pool/connections.ts'
import { createPoller } from './poller.ts'

const START = '9223372036854775807'
const NONE: Rows = [{ horizon: '10', xid: null, names: null }]
const change = (horizon: string, xid: string, ...names: string[]) => ({ horizon, xid, names })

/** A database that returns `next` as its changes; a query takes no time unless `held`. */
function world() {
  vi.useFakeTimers()
  const asked: unknown[][] = []
  const heard: (readonly string[])[] = []
  const how = { next: NONE as Rows | Error, interval: 100, held: Promise.resolve() }
  const connections = {
    async read(text: string, values: unknown[]) {
      expect(text).toBe('SELECT * FROM "s".changes_1($1, $2)')
      asked.push(values)
      await how.held
      if (how.next instanceof Error) throw how.next
      return how.next
    },
  } as unknown as Connections
  const poller = createPoller(connections, {
    schema: '"s"',
    author: 'me',
    intervalMs: () => how.interval,
    onPartitions: (partitions) => void heard.push([...partitions]),
  })
  onTestFinished(() => {
    poller.close()
    vi.useRealTimers()
  })
  /** The changes that its next query returns. */
  const look = async (next: Rows | Error) => {
    how.next = next
    await vi.advanceTimersByTimeAsync(how.interval)
  }
  return { asked, heard, how, poller, look, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}

test('the first query finds the current position, and the next ones start from there', async () => {
  const { asked, heard, look, pass } = world()
  await pass(0)
  expect([asked, heard]).toEqual([[[START, 'me']], []])
  await look([change('12', '11', 'a', 'b')])
  expect([asked.at(-1), heard]).toEqual([['10', 'me'], [['a', 'b']]])
  await look([{ horizon: '13', xid: null, names: null }])
  await look(NONE)
  expect(asked.map(([from]) => from)).toEqual([START, '10', '12', '13'])
  expect(heard).toHaveLength(1)
})

test('each change is reported once while an older transaction is open, and each partition once', async () => {
  const { heard, look, pass } = world()
  await pass(0)
  await look([change('11', '11', 'a'), change('11', '12', 'a', 'b')])
  await look([change('11', '11', 'a'), change('11', '12', 'a', 'b')])
  expect(heard).toEqual([['a', 'b']])
  // The oldest open transaction has ended: older entries may be dropped, but not this one.
  await look([change('12', '11', 'a'), change('12', '12', 'a', 'b')])
  await look([change('12', '12', 'a', 'b'), change('12', '13', 'c')])
  expect(heard).toEqual([['a', 'b'], ['c']])
})

test('a number is older than another by its size, not by its text', async () => {
  const { heard, look, pass } = world()
  await pass(0)
  await look([change('9', '10', 'a')])
  await look([change('9', '10', 'a')])
  expect(heard).toEqual([['a']])
})

test('an unavailable database is queried again from the same position', async () => {
  const { asked, heard, look, pass } = world()
  await pass(0)
  await look(new Error('away'))
  await look([change('12', '11', 'a')])
  expect([asked.map(([from]) => from), heard]).toEqual([[START, '10', '10'], [['a']]])
})

test('a hurried poller uses the new interval, and does not double a running query', async () => {
  const { asked, how, poller, pass } = world()
  await pass(0)
  how.interval = 5
  await pass(99)
  expect(asked).toHaveLength(1)
  poller.hurry()
  await pass(4)
  expect(asked).toHaveLength(1)
  await pass(1)
  expect(asked).toHaveLength(2)
  let go = () => {}
  how.held = new Promise((done) => (go = done))
  await pass(5)
  expect(asked).toHaveLength(3)
  poller.hurry()
  await pass(50)
  expect(asked).toHaveLength(3)
  go()
  how.held = Promise.resolve()
  await pass(5)
  expect(asked).toHaveLength(4)
})

test('after a close the poller does not query again and reports nothing', async () => {
  const { asked, heard, how, poller, pass } = world()
  await pass(0)
  let go = () => {}
  how.held = new Promise((done) => (go = done))
  how.next = [change('12', '11', 'a')]
  await pass(100)
  poller.close()
  go()
  await pass(1_000)
  poller.hurry()
  await pass(1_000)
  expect([asked.length, heard, vi.getTimerCount()]).toEqual([2, [], 0])
})

test('a close between two queries leaves no timer', async () => {
  const { poller, pass } = world()
  await pass(0)
  expect(vi.getTimerCount()).toBe(1)
  poller.close()
  expect(vi.getTimerCount()).toBe(0)
})
