import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plot } from '../support/plot.ts'
import { report } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { FIGURES, type Held } from './curves.ts'
import { whyNot } from './own-store.ts'
import { runSoak, type SoakReport } from './run-soak.ts'
import { settings } from './settings.ts'

/**
 * Three nodes, people and agents under load while processes are killed and stopped, stores restarted, readers stall,
 * clocks jump and connections are cut; then the observations of all of them are compared with the records. Memory and
 * handles of each process are plotted. `--minutes 30 --seed N --store sqlite|postgres|redis|all`; two minutes on SQLite
 * otherwise.
 */
const { minutes, seed, stores } = settings(process.argv.slice(2), process.env)
const results = join(import.meta.dirname, '..', 'results')
mkdirSync(results, { recursive: true })

const done: SoakReport[] = []
for (const store of stores) {
  const why = whyNot(store)
  if (why !== undefined) {
    console.log(`${store} is left out: ${why}`)
    continue
  }
  const began = performance.now()
  const soaked = await runSoak({
    ...{ seed, store, ms: minutes * 60_000, execArgv: process.execArgv },
    // Printed as progress and not kept, so that the user of a run of half an hour sees activity.
    log: (line) => console.error(`${Math.round((performance.now() - began) / 1_000)} s: ${line}`),
  })
  done.push(soaked)
  writeFileSync(join(results, `soak-${store}.svg`), drawn(soaked))
}

/** Returns the longest lives; processes that were killed early show little. */
function longest(held: readonly Held[]): Held[] {
  return held.toSorted((a, b) => b.samples.length - a.samples.length).slice(0, 5)
}

function drawn({ store, seed, held }: SoakReport): string {
  const panels = FIGURES.map((figure) => ({
    title: figure === 'heap' || figure === 'rss' ? `${figure}, MiB` : figure,
    xLabel: 'seconds since the process started',
    curves: longest(held).map(({ name, samples }) => ({
      name,
      // The axes are logarithmic.
      points: samples.map((one) => ({ x: Math.max(1, one.age), y: Math.max(1, one[figure]) })),
    })),
  }))
  return plot(`Soak on ${store}, seed ${seed}: what processes hold`, 'MiB or count', panels)
}

function scenarioOf({ store, faults }: SoakReport): string {
  const count = Object.values(faults).reduce((sum, one) => sum + one, 0)
  const words = 'processes killed and stopped, stores restarted, cables pulled, clocks moved'
  return `${minutes} minutes of load on ${store} with ${count} faults: ${words}`
}

const rows = {
  'what happened': done.map(({ store, seed, counts }) => ({ store, seed, ...counts })),
  'what went wrong on purpose': done.map(({ store, network, faults }) => ({ on: store, ...faults, network })),
  'the second half of each life; flat: it rises by no more than the limit': done.flatMap(({ store, trends }) =>
    trends.map(({ seconds, usual, rise, limit, ...one }) => ({
      ...{ store, ...one, seconds: Math.round(seconds) },
      ...{ usual: +usual.toFixed(1), rise: +rise.toFixed(1), limit: +limit.toFixed(1) },
    })),
  ),
  'what does not add up': done.flatMap(({ store, seed, violations }) =>
    violations.map((one) => ({ store, seed, ...one })),
  ),
}

report({
  about: `${minutes} minutes each, seed ${seed}: 3 nodes, 12 people, 12 calls at once; every fault of the plan, then all histories compared`,
  results: done.flatMap((soaked): Result[] => [
    {
      ...{
        id: `${soaked.store}-violations`,
        scenario: scenarioOf(soaked),
        figure: 'lost, doubled, hanging or growing',
      },
      ...{ unit: '', better: 'lower', value: soaked.violations.length, target: 0 },
    },
    ...soaked.trends
      .filter(({ figure, name }) => figure === 'heap' && name !== 'clients')
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, 1)
      .map(
        ({ rise, usual, limit }): Result => ({
          ...{
            id: `${soaked.store}-heap`,
            scenario: scenarioOf(soaked),
            figure: 'heap of the oldest node, over its second half',
          },
          ...{ unit: '× what it was', better: 'lower', value: (usual + rise) / usual, target: (usual + limit) / usual },
        }),
      ),
  ]),
  rows,
})
process.exit(done.some(({ violations }) => violations.length > 0) ? 1 : 0)
