import fc from 'fast-check'
import { expect, test } from 'vitest'
import { log, request, response, time, toolCall } from '../../test/support/log.ts'
import type { HoldpointEvent } from '../protocol/events.ts'

import { initialState, type LogEntry, transition } from './index.ts'
import { VersionedMap } from './state/versioned-map.ts'

/** Returns n questions in as many calls, at most 100 of them open at the same time, and each call with its log. */
function session(n: number): LogEntry[] {
  const events: HoldpointEvent[] = []
  for (let i = 0; i < n; i++) {
    events.push(request(`i${i}`, { toolCallId: `c${i}` }))
    if (i >= 100) events.push(response(`i${i - 100}`))
    events.push(toolCall('update', { toolCallId: `c${i - (i % 100)}`, logs: [`line ${i}`] }))
  }
  return log(events)
}

/** Returns the processor time of this thread in milliseconds, without the other work of the machine. */
function cost(entries: LogEntry[], size: number): number {
  let state = initialState({ sessionId: 'task-42', clientId: 'tab-1' })
  const start = process.threadCpuUsage()
  for (let from = 0; from < entries.length; from += size)
    state = transition(state, { type: 'events', events: entries.slice(from, from + size) }, time)[0]
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000
}

// Ratios within one run: 16 times the events take 16 times as long if the cost is linear, and 256 times if it is
// quadratic. The limit is between the two, because the large run exceeds the caches.
test.each([
  ['one by one', 1],
  ['in one batch', Number.POSITIVE_INFINITY],
])('the cost of a long session is not quadratic, %s', (_name, size) => {
  const small = session(1_000)
  const runs = Array.from({ length: 15 }, () => cost(small, size)).slice(5)
  const average = runs.reduce((sum, ms) => sum + ms, 0) / runs.length
  const large = session(16_000)
  expect(Math.min(...[1, 2, 3].map(() => cost(large, size))) / average).toBeLessThan(100)
})

test('every version of a map reads like a plain map of its time, whatever changes follow', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(400), fc.nat(30), fc.boolean()), { maxLength: 300 }), (steps) => {
      const versions = [{ map: new VersionedMap<number>(), plain: new Map<string, number>() }]
      steps.forEach(([from, key, again], value) => {
        // Usually the newest version is continued. Sometimes an old one is, and starts a new line.
        const { map, plain } = versions[again ? from % versions.length : versions.length - 1]!
        const changes = new Map([[`k${key}`, value]])
        versions.push({ map: map.with(changes), plain: new Map([...plain, ...changes]) })
      })
      for (const { map, plain } of versions) {
        expect(map.size).toBe(plain.size)
        for (let key = 0; key <= 30; key++) expect(map.get(`k${key}`)).toBe(plain.get(`k${key}`))
      }
      for (const { map, plain } of versions.slice(-40)) {
        expect([...map]).toEqual([...plain])
        expect([...map.keys()]).toEqual([...plain.keys()])
        expect([...map.values()]).toEqual([...plain.values()])
        expect(map.has('k1')).toBe(plain.has('k1'))
      }
      for (const { map, plain } of versions) expect(new Map(map)).toEqual(plain)
    }),
    { numRuns: 50 },
  )
})

test('a loop over a version does not visit what the loop itself changes', () => {
  const map = new VersionedMap(new Map([['a', 1]]))
  const seen: string[] = []
  map.forEach((value, key) => {
    seen.push(key)
    map.with(new Map([[`${key}+`, value]]))
  })
  expect(seen).toEqual(['a'])
})

test('an old version does not keep the versions after it in memory', () => {
  let map = new VersionedMap<number>(new Map([['a', 0]]))
  const old = map
  for (let i = 0; i < 10_000; i++) map = map.with(new Map([['a', i]]))
  const reached = new Set<unknown>()
  const reach = (value: unknown) => {
    if (typeof value !== 'object' || !value || reached.has(value)) return
    reached.add(value)
    for (const inner of value instanceof Map ? value.values() : Object.values(value)) reach(inner)
  }
  reach(old)
  expect(reached.size).toBeLessThan(500)
  expect(old.get('a')).toBe(0)
})

test('a large map is not copied for every change', () => {
  let map = new VersionedMap(new Map(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i])))
  const inner = new Set<unknown>()
  for (let i = 0; i < 1_000; i++) {
    map = map.with(new Map([[`k${i}`, -i]]))
    inner.add((map as unknown as { map: unknown }).map)
  }
  expect(inner.size).toBe(1)
  expect([map.get('k999'), map.get('k1000')]).toEqual([-999, 1_000])
})
