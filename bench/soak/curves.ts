import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child.ts'
import type { Cluster } from './cluster.ts'
import type { ClientsOrder, Sample } from './messages.ts'

export const FIGURES = ['heap', 'rss', 'fds', 'timers', 'listeners'] as const
export type Figure = (typeof FIGURES)[number]

/** The resources that one process held over its life. */
export interface Held {
  name: string
  samples: Sample[]
}

/** How much more a process may hold at the end of its second half than at the beginning, by its trend. */
export const LIMITS: Record<Figure, { share: number; least: number }> = {
  // A small value may double without significance.
  heap: { share: 0.1, least: 3 },
  rss: { share: 0.15, least: 20 },
  fds: { share: 0.2, least: 12 },
  timers: { share: 0.2, least: 30 },
  listeners: { share: 0, least: 2 },
}

export interface Trend {
  name: string
  figure: Figure
  /** The seconds of observation. */
  seconds: number
  /** Median of that time. */
  usual: number
  /** By how much the trend rose meanwhile. */
  rise: number
  limit: number
  flat: boolean
}

/** The second half of a life: caches are full by then. */
export function trends({ name, samples }: Held): Trend[] {
  const end = samples.at(-1)?.age ?? 0
  const half = samples.filter(({ age }) => age >= end / 2)
  const seconds = end - (half[0]?.age ?? end)
  return FIGURES.map((figure) => {
    const points = half.map((one) => ({ x: one.age, y: one[figure] }))
    const usual = median(points.map(({ y }) => y))
    const rise = slope(points) * seconds
    const limit = Math.max(LIMITS[figure].least, LIMITS[figure].share * usual)
    return { name, figure, seconds, usual, rise, limit, flat: rise <= limit }
  })
}

/**
 * The median of the slopes between all pairs (Theil and Sen): a burst at one end does not tilt it, as it would a line
 * through all points.
 */
export function slope(points: readonly { x: number; y: number }[]): number {
  const slopes = points.flatMap((a, n) =>
    points.slice(n + 1).flatMap((b) => (b.x > a.x ? [(b.y - a.y) / (b.x - a.x)] : [])),
  )
  return slopes.length === 0 ? 0 : median(slopes)
}

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

/** Asks all processes every so often what they hold, until told to stop. */
export function watch(cluster: Cluster, clients: Child<ClientsOrder>, everyMs: number) {
  const held = new Map<string, Held>()
  let stopped = false
  const look = async (name: string, child: { do<T>(order: { type: 'sample' }): Promise<T> }) => {
    // A stopped process answers later, and is left out.
    const found = await Promise.race([
      child.do<Sample>({ type: 'sample' }).catch(() => undefined),
      sleep(everyMs, undefined, { ref: false }),
    ])
    if (!found) return
    const one = held.get(name) ?? { name, samples: [] }
    held.set(name, one)
    one.samples.push(found)
  }
  const done = (async () => {
    while (!stopped) {
      const all = [...cluster.awake(), { name: 'clients', child: clients }]
      await Promise.all([...all.map(({ name, child }) => look(name, child)), sleep(everyMs)])
    }
  })()
  return {
    async stop(): Promise<Held[]> {
      stopped = true
      await done
      return [...held.values()]
    },
  }
}
