import { afterEach, expect, test, vi } from 'vitest'
import { createWake } from './wake.ts'

afterEach(() => vi.unstubAllGlobals())

test('whoever polls hears when the first listener comes and when the last one goes, and nothing besides', () => {
  const told: boolean[] = []
  const wake = createWake((listening) => told.push(listening))
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

test('closing it is the last one going; nobody comes after that', async () => {
  const told: boolean[] = []
  const heard: unknown[] = []
  const wake = createWake((listening) => told.push(listening))
  wake.subscribe((partitions) => heard.push(partitions))
  wake.close()
  expect([wake.listening, told]).toEqual([false, [true, false]])
  wake.subscribe((partitions) => heard.push(partitions))()
  wake.emit('p')
  await new Promise(setImmediate)
  expect([wake.listening, told, heard]).toEqual([false, [true, false], []])
})

test('one function that subscribed twice is two listeners; what comes in one tick comes at once', async () => {
  const wake = createWake()
  const listener = vi.fn()
  const away = wake.subscribe(listener)
  wake.subscribe(listener)
  wake.emit('p')
  wake.emit('q')
  wake.emit('p')
  await new Promise(setImmediate)
  expect(listener.mock.calls).toEqual([[['p', 'q']], [['p', 'q']]])
  away()
  wake.emit('r')
  await new Promise(setImmediate)
  expect(listener.mock.calls.slice(2)).toEqual([[['r']]])
})

test('a bug of one listener neither keeps the others asleep nor is swallowed', () => {
  const queue: (() => void)[] = []
  vi.stubGlobal('queueMicrotask', (work: () => void) => queue.push(work))
  const wake = createWake()
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
