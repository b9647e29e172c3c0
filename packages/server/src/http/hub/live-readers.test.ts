import { expect, test, vi } from 'vitest'
import { EventBatch } from './event-batch.ts'
import { LiveReaders } from './live-readers.ts'
import type { Sink } from './sink.ts'

const batch = (first: number, last = first) =>
  new EventBatch(
    'e',
    Array.from({ length: last - first + 1 }, (_, index) => ({ seq: first + index, json: '{}' })),
  )

function setUp({ maxBuffered = 100 } = {}) {
  const onProblem = vi.fn()
  const live = new LiveReaders({ maxBuffered, onProblem })
  const join = (onSend = () => {}, buffered = 0) => {
    const heard: [number, number][] = []
    const end = vi.fn()
    const sink = {
      buffered: () => buffered,
      send(_batch: EventBatch, after: number, to: number) {
        heard.push([after, to])
        onSend()
      },
    } as Sink
    live.add(sink, { end })
    return { sink, heard, end }
  }
  return { live, join, onProblem }
}

test('live readers receive the next events', () => {
  const { live, join } = setUp()
  const [one, two] = [join(), join()]
  live.hand(batch(4, 6))
  live.hand(batch(7))
  const all = [
    [3, 6],
    [6, 7],
  ]
  expect([one.heard, two.heard]).toEqual([all, all])
})

test('a reader that joins during a delivery receives the next events, not the current ones', () => {
  const { live, join } = setUp()
  const late: ReturnType<typeof join>[] = []
  join(() => late.push(join()))
  live.hand(batch(1))
  expect(late[0]?.heard).toEqual([])
  live.hand(batch(2))
  expect(late[0]?.heard).toEqual([[1, 2]])
  expect(late[1]?.heard).toEqual([])
})

test('a reader that leaves during a delivery receives nothing more, even if it has just joined', () => {
  const { live, join } = setUp()
  const late: ReturnType<typeof join>[] = []
  join(() => {
    live.delete(second.sink)
    const third = join()
    live.delete(third.sink)
    late.push(third)
  })
  const second = join()
  live.hand(batch(1))
  live.hand(batch(2))
  expect([second.heard, late[0]?.heard]).toEqual([[], []])
})

test('a reader that is too far behind is cut, a reader that cannot keep up catches up again, and the others receive their events', () => {
  const { live, join, onProblem } = setUp({ maxBuffered: 100 })
  const slow = join(() => {}, 101)
  const full = join(() => {}, 100)
  const broken = join(() => {
    throw new Error('no')
  })
  const fine = join()
  live.hand(batch(1))
  expect(slow.end).toHaveBeenCalledExactlyOnceWith('slow')
  expect(slow.heard).toEqual([])
  expect(broken.end).toHaveBeenCalledExactlyOnceWith('failed')
  expect(onProblem).toHaveBeenCalledExactlyOnceWith(new Error('no'))
  expect([full.heard, fine.heard]).toEqual([[[0, 1]], [[0, 1]]])
  expect([full.end, fine.end].map((end) => end.mock.calls)).toEqual([[], []])
})

test('a logger that throws does not disconnect later readers', () => {
  const { live, join, onProblem } = setUp()
  onProblem.mockImplementation(() => {
    throw new Error('the log is full')
  })
  const broken = join(() => {
    throw new Error('no')
  })
  expect(() => live.hand(batch(1))).toThrow('the log is full')
  expect(broken.end).toHaveBeenCalledExactlyOnceWith('failed')
  live.delete(broken.sink)
  const later = join()
  live.hand(batch(2))
  expect(later.heard).toEqual([[1, 2]])
})
