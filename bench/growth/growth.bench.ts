import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '@holdpoint/server/store'

import { type Panel, plot } from '../support/plot.ts'
import { report } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { digits, median } from '../support/statistics.ts'
import { databases, type Place, storeAt } from '../support/stores.ts'

/**
 * The cost of one append, one settle and one read when a session has had 10 to 1,000,000 events, and when there are 10
 * to 100,000 sessions. The target is constant cost: at the largest size at most twice as much as at the smallest. All
 * sizes of a store take turns, so that other work on the machine affects all alike. `--quick` ends at a tenth. The plot
 * is written to `results/growth.svg`.
 */
const SHRINK = process.argv.includes('--quick') ? 10 : 1
const EVENTS = [10, 1_000, 100_000, 1_000_000].filter((size) => size * SHRINK <= 1_000_000)
const SESSIONS = [10, 1_000, 10_000, 100_000].filter((size) => size * SHRINK <= 100_000)
const SAMPLES = 400
const EVENT = JSON.stringify({ type: 'content', timestamp: '2026-01-01T00:00:00.000Z', text: 'x'.repeat(120) })
const TARGET = 2
const PLOTTED = ['append', 'settle', 'read'] as const

type Figures = { append: number; settle: number; read: number; snapshot: number; due: number }
interface Grown {
  size: number
  store: Store
  partition(n: number): string
  /** A page near the end of the log, of the same size for every log. */
  page: { from: number; limit: number }
}

const question = (expect: number) => ({ kind: 'question', id: 'q', data: EVENT, tags: ['user'], expect })
const waiting = (n: number) => ({ kind: 'waiting', id: 'w', data: EVENT, due: 4e12 + n })

/** One of each, at one size. */
async function sample({ store, partition, page }: Grown, n: number): Promise<Figures> {
  const name = partition(n)
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return (performance.now() - began) * 1_000
  }
  const figures = {
    append: await timed(() => store.commit({ partition: name, events: [EVENT] })),
    settle: await timed(async () => {
      const { rows } = await store.load([{ partition: name, kind: 'question', id: 'q' }])
      const done = await store.commit({ partition: name, puts: [question(rows[0]?.version ?? 0)], events: [EVENT] })
      if (!done.ok) throw new Error('no other process settles here')
    }),
  }
  // Work that a store does after a commit must not count for the next figure.
  await store.load([])
  return {
    ...figures,
    read: await timed(() => store.readLog(name, page)),
    snapshot: await timed(() => store.snapshot(name, ['question'], { limit: 20 })),
    due: await timed(() => store.due('waiting')),
  }
}

async function measure(sizes: readonly Grown[]): Promise<Record<string, number>[]> {
  const all = sizes.map((): Figures[] => [])
  for (let n = -20; n < SAMPLES; n++) {
    for (const [index, one] of sizes.entries()) {
      const figures = await sample(one, n + 20)
      if (n >= 0) all[index]?.push(figures)
    }
  }
  return all.map((figures, index) => ({
    size: sizes[index]?.size ?? 0,
    ...Object.fromEntries(
      (['append', 'settle', 'read', 'snapshot', 'due'] as const).map((key) => [
        key,
        Math.round(median(figures.map((one) => one[key])) * 10) / 10,
      ]),
    ),
  }))
}

/** Sessions of all sizes in one store; of small ones many, because each measurement makes them grow. */
async function grownEvents(store: Store): Promise<Grown[]> {
  const grown: Grown[] = []
  for (const size of EVENTS) {
    const copies = Math.max(1, Math.min(100, 10_000 / size))
    for (let copy = 0; copy < copies; copy++) {
      for (let head = 0; head < size; head += 1_000) {
        const events = Array.from({ length: Math.min(1_000, size - head) }, () => EVENT)
        await store.commit({ partition: `e${size}-${copy}`, events })
      }
      await store.commit({ partition: `e${size}-${copy}`, puts: [question(0), waiting(copy)] })
    }
    grown.push({ size, store, partition: (n) => `e${size}-${n % copies}`, page: { from: size - 4, limit: 5 } })
  }
  return grown
}

async function grownSessions(store: Store, size: number): Promise<Grown> {
  for (let made = 0; made < size; ) {
    const group = Array.from({ length: Math.min(500, size - made) }, () => made++)
    await Promise.all(
      group.map((n) => store.commit({ partition: `s${n}`, puts: [question(0), waiting(n)], events: [EVENT] })),
    )
  }
  // In no order that a cache would like.
  return { size, store, partition: (n) => `s${(n * 7_919) % size}`, page: { from: 1, limit: 1 } }
}

async function growth(make: () => Place) {
  const opened = async () => {
    const store = storeAt(make())
    await store.open()
    return store
  }
  const store = await opened()
  const events = await measure(await grownEvents(store))
  await store.close()
  const sizes: Grown[] = []
  for (const size of SESSIONS) sizes.push(await grownSessions(await opened(), size))
  const sessions = await measure(sizes)
  for (const one of sizes) await one.store.close()
  return { events, sessions }
}

const found = await databases()
const results: { store: string; events: Record<string, number>[]; sessions: Record<string, number>[] }[] = []
const makers: [string, () => Place][] = [
  ['memory', () => ({ kind: 'memory' })],
  ...[...found].map(([name, { make }]): [string, () => Place] => [name, make]),
]
const LABELS = { memory: 'memory', sqlite: 'SQLite FULL', postgres: 'Postgres', redis: 'Redis' } as Record<
  string,
  string
>
const ends = (sizes: readonly number[]) => `${sizes[0]} to ${sizes.at(-1)?.toLocaleString('en-US')}`
const AXES = {
  events: `a session of ${ends(EVENTS)} events`,
  sessions: `a store of ${ends(SESSIONS)} sessions`,
} as const
const figures: Result[] = []
for (const [name, make] of makers) {
  const grown = await growth(make)
  results.push({ store: name, ...grown })
  for (const axis of ['events', 'sessions'] as const) {
    const [first, last] = [grown[axis][0], grown[axis].at(-1)]
    const grew = PLOTTED.map((key) => ({ key, ratio: (last?.[key] ?? Number.NaN) / (first?.[key] ?? Number.NaN) }))
    const worst = grew.toSorted((a, b) => b.ratio - a.ratio)[0]
    figures.push({
      id: `${name}-${axis}`,
      scenario: `${AXES[axis]}, ${LABELS[name]}`,
      figure: `largest to smallest, the worst of ${grew.map(({ key, ratio }) => `${key} ${digits(ratio)}`).join(', ')}`,
      unit: '×',
      better: 'lower',
      value: worst?.ratio ?? Number.NaN,
      target: TARGET,
      why: `one ${worst?.key} takes ${last?.[worst?.key ?? '']} µs instead of ${first?.[worst?.key ?? '']}`,
    })
  }
}
for (const places of found.values()) await places.dispose()

const panels = (['events', 'sessions'] as const).flatMap((axis) =>
  PLOTTED.map((figure): Panel => {
    const curves = results.map(({ store, [axis]: points }) => ({
      name: store,
      points: points.map((point) => ({ x: point.size ?? 0, y: Math.max(1, point[figure] ?? 0) })),
    }))
    return {
      title: `one ${figure}`,
      xLabel: axis === 'events' ? 'events in the session' : 'sessions in the store',
      curves,
    }
  }),
)
const folder = join(import.meta.dirname, '..', 'results')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'growth.svg'), plot('Cost as it grows', 'microseconds', panels))
report({
  about: `medians of ${SAMPLES} samples, all sizes of a store in turns; flat is at most ${TARGET} × from the smallest to the largest`,
  results: figures,
  rows: Object.fromEntries(
    results.flatMap(({ store, events, sessions }) => [
      [`${store}, µs by events of a session`, events],
      [`${store}, µs by sessions`, sessions],
    ]),
  ),
})
