import { cursorAt } from '@holdpoint/core/wire'
import { memoryStore } from '@holdpoint/server/memory'
import { beforeEach, describe, expect, test } from 'vitest'
import { Hub, type HubOptions } from '../../src/http/hub/hub.ts'
import { defaultTuning } from '../../src/http/routing/options.ts'
import type { LogPage, Store } from '../../src/store/port.ts'
import { FakeClock, settle } from './support/fake-clock.ts'
import { FakeSink } from './support/fake-sink.ts'

const partition = 'p'
let store: Store
let clock: FakeClock
let problems: unknown[]

beforeEach(() => {
  store = memoryStore({ newEpoch: () => 'e1' })
  clock = new FakeClock()
  problems = []
})

const texts = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `t${from + index}`)
const emit = (from: number, to = from) =>
  store.commit({ partition, events: texts(from, to).map((text) => JSON.stringify({ type: 'content', text })) })
const cursor = (seq: number) =>
  cursorAt('e1', seq ? { seq, json: JSON.stringify({ type: 'content', text: `t${seq}` }) } : null)
const hubOf = (options: Partial<HubOptions> = {}) =>
  new Hub({ ...defaultTuning, store, node: 'here', clock, onProblem: (error) => problems.push(error), ...options })
const open = (hub: Hub, at: string | null, sink = new FakeSink(), more: Partial<Parameters<Hub['open']>[0]> = {}) => {
  const subscriber = hub.open({
    partition,
    cursor: at,
    principal: { userId: 'ada' },
    sink,
    reauthorize: async () => true,
    ...more,
  })
  return { sink, subscriber }
}
/** A store whose reads wait at a gate. */
const gated = (gate: (page: LogPage, from: number) => Promise<void>): Store => ({
  ...store,
  async readLog(at, options) {
    const page = await store.readLog(at, options)
    await gate(page, options.from)
    return page
  },
})

describe('a reader that catches up', () => {
  test('[HP-CUR-5] from any cursor receives every event once, and then live events', async () => {
    await emit(1, 300)
    const hub = hubOf()
    const readers = [null, cursor(0), cursor(1), cursor(127), cursor(128), cursor(129), cursor(299), cursor(300)]
    const opened = readers.map((at) => open(hub, at).sink)
    await settle()
    await emit(301, 302)
    await settle()
    const starts = [1, 1, 2, 128, 129, 130, 300, 301]
    for (const [index, sink] of opened.entries()) expect(sink.texts).toEqual(texts(starts[index] ?? 0, 302))
    expect(problems).toEqual([])
  })

  test('fault 1: neither misses nor repeats an event that is appended while it becomes live [R1.2]', async () => {
    await emit(1, 3)
    let appended = 3
    const racing = gated(async () => {
      if (appended < 40) await emit(++appended)
      await settle()
    })
    const hub = hubOf({ store: racing })
    const sinks = [null, cursor(1), cursor(3)].map((at) => open(hub, at).sink)
    for (let i = 0; i < 100; i++) await settle()
    await emit(41)
    for (let i = 0; i < 10; i++) await settle()
    expect(sinks.map((sink) => sink.texts)).toEqual([texts(1, 41), texts(2, 41), texts(4, 41)])
  })

  test('fault 1: has no gap if the log grows while a part of it is being read', async () => {
    await emit(1, 3)
    let hold = false
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const hub = hubOf({ store: gated(async (_page, from) => (hold && from === 1 ? held : undefined)) })
    const first = open(hub, cursor(3)).sink
    await settle()
    hold = true
    const second = open(hub, cursor(0)).sink
    await settle()
    await emit(4)
    await settle()
    expect([first.texts, second.texts]).toEqual([['t4'], []])
    release()
    await settle()
    expect([second.texts, second.resets]).toEqual([texts(1, 4), []])
  })

  test('receives the commits of this process without a read of the store, in any grouping', async () => {
    await emit(1, 3)
    let reads = 0
    const hub = hubOf({ store: gated(async () => void reads++) })
    const [one, late] = [open(hub, null).sink, open(hub, cursor(2)).sink]
    await settle()
    reads = 0
    await emit(4)
    await Promise.all([emit(5, 6), store.commit({ partition, puts: [{ kind: 'k', id: 'a', data: '1' }] }), emit(7)])
    await settle()
    await store.commit({ partition, puts: [{ kind: 'k', id: 'a', data: '2' }] })
    await settle()
    await emit(8)
    await settle()
    expect([one.texts, late.texts, reads]).toEqual([texts(1, 8), texts(3, 8), 0])
    const after = open(hub, cursor(5)).sink
    await settle()
    expect([after.texts, reads]).toEqual([texts(6, 8), 0])
  })

  test.each([
    ['an announcement before it was lost', 'lost'],
    ['another node wrote too', 'foreign'],
    ['the log is being read already', 'reading'],
  ])('receives each commit of this process once, although the log is read because %s', async (_, how) => {
    await emit(1, 3)
    let lost = false
    let release = () => {}
    let held: Promise<void> | undefined
    const hub = hubOf({
      store: {
        ...gated(async () => held),
        subscribe: (listener) =>
          store.subscribe((partitions, own) => {
            if (!lost) listener(partitions, how === 'foreign' ? new Map() : own)
          }),
      },
    })
    const { sink } = open(hub, null)
    await settle()
    if (how === 'lost') {
      lost = true
      await emit(4)
      lost = false
    }
    if (how === 'reading') {
      held = new Promise((resolve) => {
        release = resolve
      })
      await clock.advance(6_000)
      await emit(4)
    }
    if (how === 'foreign') await emit(4)
    await emit(5, 6)
    await settle()
    held = undefined
    release()
    await settle()
    expect([sink.texts, sink.resets]).toEqual([texts(1, 6), []])
  })

  test('wakes all readers if it finds more events than the process had noticed, and receives none twice', async () => {
    const deaf: Store = { ...store, subscribe: () => () => {} }
    await emit(1, 3)
    const hub = hubOf({ store: deaf })
    const first = open(hub, cursor(3)).sink
    await settle()
    await emit(4, 5)
    const second = open(hub, cursor(1)).sink
    await settle()
    expect([first.texts, second.texts]).toEqual([texts(4, 5), texts(2, 5)])
    await emit(6)
    await clock.advance(6_000)
    expect([first.texts, second.texts]).toEqual([texts(4, 6), texts(2, 6)])
  })

  test('[HP-SSE-7] shares the memory of each event, encoded once, with all other readers', async () => {
    const hub = hubOf()
    const sinks = Array.from({ length: 50 }, () => open(hub, null).sink)
    await settle()
    await emit(1)
    await settle()
    const buffers = new Set(sinks.map((sink) => sink.buffers[0]))
    expect(buffers.size).toBe(1)
    expect(new TextDecoder().decode([...buffers][0])).toBe(`id: ${cursor(1)}\ndata: {"type":"content","text":"t1"}\n\n`)
  })

  test('shares each read and each encoding with 1,000 other readers, and the cache is empty afterwards', async () => {
    await emit(1, 200)
    let reads = 0
    const hub = hubOf({ store: gated(async () => void reads++) })
    const sinks = Array.from({ length: 1000 }, () => open(hub, cursor(0)).sink)
    await settle()
    for (const sink of sinks) expect(sink.texts).toHaveLength(200)
    expect(new Set(sinks.map((sink) => sink.buffers[0])).size).toBe(1)
    expect(reads).toBeLessThan(6)
    await clock.advance(31_000)
    expect(hub.size.cached).toBe(0)
  })

  test('misses nothing if it falls behind the bounded cache', async () => {
    await emit(1, 1000)
    const hub = hubOf({ cacheSize: 5_000 })
    const { sink } = open(hub, cursor(0))
    await settle()
    expect(hub.size.cached).toBeLessThan(10_000)
    expect(sink.texts).toEqual(texts(1, 1000))
  })

  test('receives pieces at its own pace, and becomes live after the last piece', async () => {
    await emit(1, 100)
    const hub = hubOf({ pieceSize: 300 })
    const sink = new FakeSink()
    sink.slow = true
    open(hub, cursor(0), sink)
    await settle()
    const first = sink.texts.length
    expect(first).toBeGreaterThan(1)
    expect(first).toBeLessThan(20)
    await emit(101)
    await settle()
    expect(sink.texts).toHaveLength(first)
    sink.drain()
    await settle()
    expect(sink.texts).toEqual(texts(1, 101))
  })

  test('receives events by polling if a notification was lost', async () => {
    const deaf: Store = { ...store, subscribe: () => () => {} }
    const hub = hubOf({ store: deaf, pollMs: 5_000 })
    const { sink } = open(hub, null)
    await settle()
    await emit(1)
    await clock.advance(4_000)
    expect(sink.texts).toEqual([])
    await clock.advance(2_000)
    expect(sink.texts).toEqual(['t1'])
  })

  test('loses no event and stays connected if a read fails, and the failure is logged', async () => {
    let broken = false
    const flaky = gated(async () => {
      if (broken) throw new Error('disk on fire')
    })
    const hub = hubOf({ store: flaky })
    const { sink } = open(hub, null)
    await settle()
    broken = true
    await emit(1)
    await settle()
    broken = false
    expect([problems.length, sink.ended, sink.texts.length]).toEqual([1, undefined, 0])
    await emit(2)
    await settle()
    expect(sink.texts).toEqual(['t1', 't2'])
  })

  test('receives the events of a few milliseconds in one write with coalesceMs', async () => {
    const hub = hubOf({ coalesceMs: 5 })
    const { sink } = open(hub, null)
    await settle()
    for (let seq = 1; seq <= 10; seq++) {
      await emit(seq)
      await settle()
    }
    expect(sink.buffers).toHaveLength(0)
    await clock.advance(5)
    expect([sink.buffers.length, sink.texts]).toEqual([1, texts(1, 10)])
  })
})

describe('resets', () => {
  const resetOf = async (at: string | null) => {
    const { sink } = open(hubOf(), at)
    await settle()
    return [sink.resets, sink.ended, sink.texts.length]
  }

  test('[HP-RST-1] [HP-RST-3] [HP-RST-4] [HP-RST-5] [HP-RST-6] a wrong cursor resets, and the stream ends', async () => {
    await emit(1, 10)
    expect(await resetOf('e2.3.abc')).toEqual([['epoch'], 'reset', 0])
    expect(await resetOf(cursor(11))).toEqual([['ahead'], 'reset', 0])
    expect(await resetOf('e1.3.zzzz')).toEqual([['forked'], 'reset', 0])
    expect(await resetOf('e1.10.zzzz')).toEqual([['forked'], 'reset', 0])
    expect(await resetOf('rubbish')).toEqual([['invalid'], 'reset', 0])
  })

  test('[HP-RST-3] a cursor from another node is not ahead if this process has not noticed those events yet', async () => {
    await emit(1, 3)
    const hub = hubOf({ store: { ...store, subscribe: () => () => {} } })
    const first = open(hub, null).sink
    await settle()
    await emit(4, 6)
    const others = [cursor(5), cursor(6), cursor(7)].map((at) => open(hub, at).sink)
    await settle()
    expect(others.map(({ texts, resets }) => [texts, resets])).toEqual([
      [['t6'], []],
      [[], []],
      [[], ['ahead']],
    ])
    expect(first.texts).toEqual(texts(1, 6))
  })

  test('[HP-RST-2] a cursor below the trimmed events is reset, and a cursor at the last trimmed event continues', async () => {
    await emit(1, 300)
    await store.trim(partition, 150)
    expect(await resetOf(cursor(148))).toEqual([['trimmed'], 'reset', 0])
    expect(await resetOf(null)).toEqual([['trimmed'], 'reset', 0])
    const { sink } = open(hubOf(), cursor(149))
    await settle()
    expect(sink.texts).toEqual(texts(150, 300))
  })

  test('a log that is trimmed while a reader catches up resets the reader, without a gap', async () => {
    await emit(1, 1000)
    const sink = new FakeSink()
    sink.slow = true
    open(hubOf({ pieceSize: 1 }), cursor(0), sink)
    await settle()
    await store.trim(partition, 900)
    sink.drain()
    await settle()
    expect(sink.resets).toEqual(['trimmed'])
    expect(sink.texts).toEqual(texts(1, sink.texts.length))
  })

  test('a log that is replaced while streams are open resets them, and later readers read the new log', async () => {
    let epoch = 'e1'
    store = memoryStore({ newEpoch: () => epoch })
    await emit(1, 5)
    const hub = hubOf()
    const { sink } = open(hub, null)
    await settle()
    await store.erase(partition)
    epoch = 'e9'
    await emit(1, 2)
    await settle()
    expect(sink.resets).toEqual(['epoch'])
    const next = open(hub, null).sink
    await settle()
    expect([next.texts, next.resets]).toEqual([['t1', 't2'], []])
  })

  test('a log that was rewritten resets its readers at the next commit, also at one without events', async () => {
    let epoch = 'e1'
    store = memoryStore({ newEpoch: () => epoch })
    await emit(1, 3)
    const { sink } = open(hubOf(), null)
    await settle()
    epoch = 'e2'
    await store.rewrite(partition, [{ seq: 2, json: '{}' }])
    await store.commit({ partition, puts: [{ kind: 'k', id: 'a', data: '1' }] })
    await settle()
    expect(sink.resets).toEqual(['epoch'])
  })

  test('a log that lost its end, or has another event at a position, resets its open streams', async () => {
    const pages: LogPage[] = []
    const odd: Store = {
      ...store,
      subscribe: (listener) => store.subscribe((partitions) => listener(partitions, new Map())),
      readLog: async (at, options) => pages.shift() ?? store.readLog(at, options),
    }
    for (const [reason, change] of [
      ['ahead', (page: LogPage) => ({ ...page, head: 2, events: page.events.slice(0, 0) })],
      ['forked', (page: LogPage) => ({ ...page, events: page.events.map((event) => ({ ...event, json: '{}' })) })],
      ['trimmed', (page: LogPage) => ({ ...page, head: 9, floor: 8, events: [{ seq: 8, json: '{}' }] })],
    ] as const) {
      await store.erase(partition)
      await emit(1, 3)
      const { sink } = open(hubOf({ store: odd }), null)
      await settle()
      pages.push(change(await store.readLog(partition, { from: 3, limit: 10 })))
      await emit(4)
      await settle()
      expect(sink.resets).toEqual([reason])
    }
  })

  test('a cursor of an empty log continues with the first event', async () => {
    const { sink } = open(hubOf(), '0.0.0')
    await settle()
    await emit(1)
    await settle()
    expect([sink.texts, sink.resets]).toEqual([['t1'], []])
  })
})
