import { memoryStore } from '@holdpoint/server/memory'
import { beforeEach, describe, expect, test } from 'vitest'
import { Hub, type HubOptions } from '../../src/http/hub/hub.ts'
import type { Opening } from '../../src/http/hub/subscriber.ts'
import { defaultTuning } from '../../src/http/routing/options.ts'
import type { Store } from '../../src/store/port.ts'
import { FakeClock, settle } from './support/fake-clock.ts'
import { FakeSink } from './support/fake-sink.ts'

let store: Store
let listeners = 0
let clock: FakeClock

beforeEach(() => {
  const inner = memoryStore()
  listeners = 0
  store = {
    ...inner,
    subscribe(listener) {
      const stop = inner.subscribe(listener)
      listeners++
      return () => {
        listeners--
        stop()
      }
    },
  }
  clock = new FakeClock()
})

const emit = (partition: string, text: string) =>
  store.commit({ partition, events: [JSON.stringify({ type: 'content', text })] })
const hubOf = (options: Partial<HubOptions> = {}) =>
  new Hub({ ...defaultTuning, store, node: 'here', clock, onProblem: () => {}, ...options })
const open = (hub: Hub, more: Partial<Opening> = {}) => {
  const sink = new FakeSink()
  const opening = {
    partition: 'p',
    cursor: null,
    principal: { userId: 'ada' },
    sink,
    reauthorize: async () => true,
  }
  return { sink, subscriber: hub.open({ ...opening, ...more }) }
}

describe('slow readers', () => {
  test('are disconnected at the buffer limit, without effect on other readers', async () => {
    const hub = hubOf({ maxBuffered: 1000 })
    const slow = open(hub).sink
    const quick = open(hub).sink
    await settle()
    await emit('p', 'one')
    await settle()
    slow.waiting = 1001
    await emit('p', 'two')
    await settle()
    expect([slow.ended, slow.texts, hub.size.streams]).toEqual(['slow', ['one'], 1])
    expect(quick.texts).toEqual(['one', 'two'])
  })

  test('are disconnected after two heartbeats without any progress, also below the buffer limit', async () => {
    const hub = hubOf()
    const stalled = open(hub).sink
    const trickling = open(hub).sink
    await settle()
    stalled.waiting = 500
    for (let beat = 0; beat < 5; beat++) {
      trickling.waiting = 500 - beat
      await clock.advance(15_000)
    }
    expect([stalled.ended, stalled.heartbeats]).toEqual(['slow', 0])
    expect(trickling.ended).toBe(undefined)
  })
})

describe('the timers of the hub', () => {
  test('[HP-SSE-2] send a heartbeat to every reader every 8 seconds, with one timer', async () => {
    const hub = hubOf()
    const sinks = Array.from({ length: 100 }, (_, index) => open(hub, { partition: `p${index % 7}` }).sink)
    await settle()
    expect(clock.timers).toBe(1)
    await clock.advance(8_000)
    expect(new Set(sinks.map((sink) => sink.heartbeats))).toEqual(new Set([1]))
    await clock.advance(16_000)
    expect(new Set(sinks.map((sink) => sink.heartbeats))).toEqual(new Set([3]))
    expect(clock.timers).toBe(1)
  })

  test('[HP-SEC-7] authorize streams again within 60 seconds, and end those that are rejected or not decided [T4.3]', async () => {
    const hub = hubOf()
    let allowed = true
    let asked = 0
    const reauthorize = async () => {
      asked++
      return allowed
    }
    const { sink } = open(hub, { reauthorize })
    const unknown = open(hub, { reauthorize: () => Promise.reject(new Error('no database')) }).sink
    await settle()
    await clock.advance(59_000)
    expect([asked, sink.ended, unknown.ended]).toEqual([0, undefined, undefined])
    await clock.advance(1_000)
    expect([asked, sink.ended, unknown.ended]).toEqual([1, undefined, 'unauthorized'])
    allowed = false
    await clock.advance(60_000)
    expect([asked, sink.ended]).toEqual([2, 'unauthorized'])
  })
})

describe('the end of a stream', () => {
  test('comes with revoke for all streams of one user of one tenant', async () => {
    const hub = hubOf()
    const a = open(hub, { principal: { userId: 'ada', tenant: 'a' } }).sink
    const b = open(hub, { principal: { userId: 'ada', tenant: 'b' } }).sink
    const eve = open(hub, { principal: { userId: 'eve', tenant: 'a' } }).sink
    await settle()
    hub.revoke({ userId: 'ada', tenant: 'a' })
    expect([a.ended, b.ended, eve.ended]).toEqual(['revoked', undefined, undefined])
    hub.revoke({ userId: 'ada' })
    expect([b.ended, eve.ended]).toEqual(['revoked', undefined])
  })

  test('fault 2: before the first event, at any step of its start, leaves no session and no stream [R2.1]', async () => {
    const hub = hubOf()
    for (let ticks = 0; ticks < 12; ticks++) {
      const { subscriber, sink } = open(hub)
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
      subscriber.left()
      const heard = sink.texts.length
      await emit('p', 'x')
      await settle()
      expect([hub.size.sessions, hub.size.streams, sink.texts.length - heard]).toEqual([0, 0, 0])
    }
  })

  test('leaves no listener, no timer and no session after 10,000 connects and disconnects [R7.2]', async () => {
    const hub = hubOf()
    let ended = 0
    for (let round = 0; round < 100; round++) {
      const opened = Array.from({ length: 100 }, (_, index) =>
        open(hub, { partition: `p${index % 10}`, ended: () => void ended++ }),
      )
      if (round % 3) await settle()
      await emit('p1', 'x')
      for (const [index, { subscriber }] of opened.entries()) {
        if (index % 2) subscriber.left()
        else subscriber.end('shutdown')
      }
    }
    await settle()
    expect(ended).toBe(10_000)
    expect([listeners, clock.timers, hub.size]).toEqual([0, 0, { sessions: 0, streams: 0, cached: 0 }])
  })

  test('comes for all streams when the hub closes, and at once for later streams', async () => {
    const hub = hubOf()
    const first = open(hub).sink
    await settle()
    hub.close()
    const second = open(hub).sink
    await settle()
    expect([first.ended, second.ended, listeners, clock.timers]).toEqual(['shutdown', 'shutdown', 0, 0])
  })

  test('comes if an event cannot be encoded, so that no reader has a silent gap', async () => {
    const hub = hubOf()
    const { sink } = open(hub)
    await settle()
    await store.commit({ partition: 'p', events: ['{"type":"content",\n"text":"two lines"}'] })
    await settle()
    expect([sink.ended, hub.size.streams]).toEqual(['failed', 0])
  })
})
