import { afterEach, expect, test, vi } from 'vitest'
import { createCommitNotifier } from './notifier.ts'

afterEach(() => vi.unstubAllGlobals())

test('onChange is called when the first listener subscribes and when the last one unsubscribes', () => {
  const told: boolean[] = []
  const wake = createCommitNotifier((listening) => told.push(listening))
  expect(wake.listening).toBe(false)
  const [one, two] = [wake.subscribe(() => {}), wake.subscribe(() => {})]
  expect([wake.listening, told]).toEqual([true, [true]])
  one()
  one()
  expect([wake.listening, told]).toEqual([true, [true]])
  two()
  expect([wake.listening, told]).toEqual([false, [true, false]])
  wake.close()
  expect(told).toEqual([true, false])
})

test('closing removes the last listener, and later subscriptions have no effect', async () => {
  const told: boolean[] = []
  const heard: unknown[] = []
  const wake = createCommitNotifier((listening) => told.push(listening))
  wake.subscribe((partitions) => heard.push(partitions))
  wake.close()
  expect([wake.listening, told]).toEqual([false, [true, false]])
  wake.subscribe((partitions) => heard.push(partitions))()
  wake.emit('p')
  await new Promise(setImmediate)
  expect([wake.listening, told, heard]).toEqual([false, [true, false], []])
})

test('a function that subscribed twice is called twice, and changes of one tick arrive together', async () => {
  const wake = createCommitNotifier()
  const listener = vi.fn()
  const away = wake.subscribe(listener)
  wake.subscribe(listener)
  wake.emit('p')
  wake.emit('q')
  wake.emit('p')
  await new Promise(setImmediate)
  expect(listener.mock.calls).toEqual([
    [['p', 'q'], new Map(), new Map()],
    [['p', 'q'], new Map(), new Map()],
  ])
  away()
  wake.emit('r')
  await new Promise(setImmediate)
  expect(listener.mock.calls.slice(2)).toEqual([[['r'], new Map(), new Map()]])
})

test('an error of one listener does not affect the others and is not swallowed', () => {
  const queue: (() => void)[] = []
  vi.stubGlobal('queueMicrotask', (work: () => void) => queue.push(work))
  const wake = createCommitNotifier()
  const heard: unknown[] = []
  wake.subscribe(() => {
    throw new Error('a bug')
  })
  wake.subscribe((partitions) => heard.push(partitions))
  wake.emit('p')
  queue.shift()!()
  expect(heard).toEqual([['p']])
  expect(() => queue.shift()!()).toThrow('a bug')
})

test('commits of this process carry their events, unless another process wrote to the same partition', async () => {
  const wake = createCommitNotifier()
  const listener = vi.fn()
  const done = (firstSeq: number) => ({ ok: true as const, epoch: 'e', firstSeq, lastSeq: firstSeq })
  const put = { kind: 'k', id: 'a', data: '1' }
  wake.committed({ partition: 'no listeners', events: ['1'] }, done(1))
  wake.subscribe(listener)
  wake.committed({ partition: 'p', events: ['"1"'] }, done(1))
  wake.committed({ partition: 'p', puts: [put] }, done(1))
  wake.committed({ partition: 'p', events: ['"2"', '"3"'] }, done(2))
  wake.committed({ partition: 'rows alone', puts: [put] }, done(1))
  wake.committed({ partition: 'checks alone', checks: [{ kind: 'k', id: 'a', version: 1 }] }, done(1))
  wake.committed({ partition: 'refused', events: ['1'] }, { ok: false, conflict: put })
  wake.committed({ partition: 'failed', events: ['1'] }, undefined)
  wake.committed({ partition: 'both', events: ['1'] }, done(1))
  wake.emit('both')
  wake.committed({ partition: 'both', events: ['3'] }, done(3))
  wake.emit('first')
  wake.committed({ partition: 'first', events: ['1'] }, done(1))
  await new Promise(setImmediate)
  expect(listener.mock.calls).toEqual([
    [
      ['p', 'rows alone', 'both', 'first'],
      new Map([
        [
          'p',
          [
            { epoch: 'e', firstSeq: 1, events: ['"1"'] },
            { epoch: 'e', firstSeq: 1, events: [] },
            { epoch: 'e', firstSeq: 2, events: ['"2"', '"3"'] },
          ],
        ],
        ['rows alone', [{ epoch: 'e', firstSeq: 1, events: [] }]],
      ]),
      new Map([
        ['p', [['"1"'], undefined, ['"2"', '"3"']]],
        ['rows alone', [undefined]],
      ]),
    ],
  ])
})

test('commits whose places are not certain carry the lists of their events only, unless another process wrote too', async () => {
  const wake = createCommitNotifier()
  const listener = vi.fn()
  const [one, two] = [['1'], ['2']]
  wake.wrote({ partition: 'no listeners', events: one })
  wake.subscribe(listener)
  wake.wrote({ partition: 'p', events: one })
  wake.wrote({ partition: 'p', events: two })
  wake.wrote({ partition: 'checks alone', checks: [{ kind: 'k', id: 'a', version: 1 }] })
  wake.wrote({ partition: 'both', events: one })
  wake.emit('both')
  wake.emit('first')
  wake.wrote({ partition: 'first', events: one })
  await new Promise(setImmediate)
  expect(listener.mock.calls).toEqual([[['p', 'both', 'first'], new Map(), new Map([['p', [one, two]]])]])
  expect(listener.mock.calls[0]?.[2].get('p')[0]).toBe(one)
})

test('a notifier without listeners queues nothing', () => {
  const queued = vi.fn()
  vi.stubGlobal('queueMicrotask', queued)
  const wake = createCommitNotifier()
  wake.emit('p')
  wake.committed({ partition: 'p', events: ['1'] }, { ok: true, epoch: 'e', firstSeq: 1, lastSeq: 1 })
  expect(queued).not.toHaveBeenCalled()
})
