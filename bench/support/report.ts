import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Peer, Report, Result } from './result.ts'
import { digits } from './statistics.ts'
import { cells } from './table.ts'

const BENCH = join(import.meta.dirname, '..')

/** Ends a bench: prints its tables for who looks on, and its report as one line of JSON for `main.ts`. */
export function report({ about, results, rows = {} }: Pick<Report, 'about' | 'results'> & Partial<Report>): void {
  const bench = relative(BENCH, process.argv[1] ?? '').replace(/\.bench\.ts$/, '')
  const known = results.map(measured).filter((result) => result !== undefined)
  console.log(about)
  for (const [title, table] of Object.entries(rows)) {
    console.log(`\n${title}`)
    console.table(table)
  }
  console.log()
  for (const result of known) {
    const { scenario, figure, ours, target, limit, peers, met } = cells(result)
    const beside = [limit, peers].filter(Boolean).join(', ')
    console.log(`${scenario}; ${figure}: ${ours}${beside && `; beside it ${beside}`}${target && `; target ${target}`}`)
    if (met) console.log(`  target met: ${met}`)
  }
  for (const { id } of results) {
    if (!known.some((one) => one.id === id)) console.log(`${id} could not be measured here, and is left out`)
  }
  const said: Report = { bench, about, results: known, rows }
  console.log(JSON.stringify(said))
}

/** The version of a package that the benchmarks install, all of them or the peers of a question alone. */
export function versionOf(name: string): string {
  const places = ['node_modules', 'peers/resume/node_modules'].map((place) => join(BENCH, place, name, 'package.json'))
  return JSON.parse(readFileSync(places.find(existsSync) ?? `${name}/package.json`, 'utf8')).version
}

/** Three digits, so that what is compared with the target is what is shown; without what this machine cannot measure. */
function measured({ limit, peers, spread, ...result }: Result): Result | undefined {
  if (!Number.isFinite(result.value)) return undefined
  const others = (peers ?? []).filter(({ value }) => Number.isFinite(value))
  return {
    ...result,
    value: digits(result.value),
    ...(spread && { spread: [digits(spread[0]), digits(spread[1])] as const }),
    ...(limit && Number.isFinite(limit.value) && { limit: { ...limit, value: digits(limit.value) } }),
    ...(others.length > 0 && { peers: others.map((peer): Peer => ({ ...peer, value: digits(peer.value) })) }),
  }
}
