import { cpus, totalmem } from 'node:os'
import type { Report } from './result.ts'

/** A run of benchmarks: `results/results.json`, and, without rows, `measured.json`. */
export interface Run {
  machine: Machine
  benches: readonly Ran[]
}

export interface Machine {
  model: string
  cpus: number
  memoryGiB: number
  system: string
  node: string
}

/** A bench that ran; without results when it failed. */
export interface Ran extends Partial<Report> {
  bench: string
  date: string
  seconds: number
  /** Processors that others kept busy just before it began, when nothing of ours ran. */
  busy: number
  failed?: string
}

export const thisMachine = (): Machine => ({
  model: cpus()[0]?.model.trim() ?? 'unknown',
  cpus: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${process.platform} ${process.arch}`,
  node: process.version,
})

/** How many processors are busy for two seconds in which nothing of ours runs. */
export async function busyWithOthers(): Promise<number> {
  const times = () =>
    cpus().reduce(
      ({ idle, all }, { times }) => ({
        idle: idle + times.idle,
        all: all + Object.values(times).reduce((sum, ms) => sum + ms, 0),
      }),
      { idle: 0, all: 0 },
    )
  const before = times()
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const after = times()
  const share = 1 - (after.idle - before.idle) / (after.all - before.all || 1)
  return Math.round(share * cpus().length * 10) / 10
}

/**
 * Merges two runs for the documents: benches that ran replace their earlier results, and the others stay. A table has
 * one machine, so results of another machine are dropped.
 */
export function merged(before: Run | undefined, { machine, benches }: Run): Run {
  const same = JSON.stringify(before?.machine) === JSON.stringify(machine)
  const kept = same ? (before?.benches ?? []).filter((old) => !benches.some(({ bench }) => bench === old.bench)) : []
  const all = [...kept, ...benches.map(({ rows: _, ...stated }) => stated)]
  return { machine, benches: all.sort((a, b) => (a.bench < b.bench ? -1 : 1)) }
}

/** Where and when, for the line below a table. */
export function circumstances({ machine, benches }: Run): string {
  const dates = benches.map(({ date }) => date.slice(0, 10)).sort()
  const when = dates[0] === dates.at(-1) ? dates[0] : `${dates[0]} to ${dates.at(-1)}`
  const busiest = Math.max(...benches.map(({ busy }) => busy))
  const others =
    busiest < machine.cpus / 4
      ? ''
      : ` Other work kept up to ${busiest} of the processors busy meanwhile: ratios hold better than milliseconds.`
  const { cpus: count, memoryGiB, system, node } = machine
  return `${count} cores, ${memoryGiB} GiB, ${system}, Node ${node}, ${when}.${others}`
}
