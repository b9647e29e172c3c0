import { afterEach, expect, test, vi } from 'vitest'
import { browserEnvironment } from './environment.ts'

afterEach(() => vi.unstubAllGlobals())

test('in Node, the environment reports online and visible, and registers no listener', () => {
  const env = browserEnvironment()
  expect(env.surroundings.online()).toBe(true)
  expect(env.surroundings.hidden()).toBe(false)
  env.surroundings.watch(() => {})()
  expect(env.id()).not.toBe(env.id())
  expect(env.id()).toMatch(/^[0-9a-z]{8,}$/)
  expect(Math.abs(env.now() - Date.now())).toBeLessThan(1_000)
})

test('in a page, the environment reports events of the page, and removes its listeners', () => {
  const page = new EventTarget()
  const counts = new Map<string, number>()
  vi.stubGlobal('addEventListener', (type: string, listener: EventListener) => {
    counts.set(type, (counts.get(type) ?? 0) + 1)
    page.addEventListener(type, listener)
  })
  vi.stubGlobal('removeEventListener', (type: string, listener: EventListener) => {
    counts.set(type, (counts.get(type) ?? 0) - 1)
    page.removeEventListener(type, listener)
  })
  const document = { visibilityState: 'visible' }
  vi.stubGlobal('document', document)
  vi.stubGlobal('navigator', { onLine: false })
  const { surroundings } = browserEnvironment()
  expect(surroundings.online()).toBe(false)
  const told: string[] = []
  const away = surroundings.watch((event) => told.push(event))
  const happen = (type: string, more = {}) => page.dispatchEvent(Object.assign(new Event(type), more))
  happen('offline')
  happen('online')
  document.visibilityState = 'hidden'
  happen('visibilitychange')
  document.visibilityState = 'visible'
  happen('visibilitychange')
  happen('pageshow', { persisted: false })
  happen('pagehide')
  happen('pageshow', { persisted: true })
  expect(told).toEqual(['offline', 'online', 'hidden', 'visible', 'frozen', 'thawed'])
  away()
  expect([...counts.values()].every((count) => count === 0)).toBe(true)
  expect(counts.size).toBe(5)
})
