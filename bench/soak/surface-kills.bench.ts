import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { postgresUrl, redisUrl } from '@holdpoint/conformance/services'
import { report } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { settings } from './settings.ts'

/**
 * The kill harness of the surfaces, with more rounds than a test has time for: a node that asks, sends, changes and answers
 * is killed with -9 at seeded steps. `--rounds 1000 --seed N`, rounds on each store. The memory store dies with its
 * process, so that its node is killed within the process, at calls to the store.
 */
const { rounds, seed } = settings(process.argv.slice(2), process.env)
const root = join(import.meta.dirname, '..', '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')

function run(project: string, test: string, env: Record<string, string>): boolean {
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', project, test], {
    cwd: root,
    env: { ...process.env, HOLDPOINT_SEED: `${seed}`, ...env },
    // Its output belongs to the progress; the last line of the result is ours.
    stdio: ['ignore', 2, 2],
  })
  return status === 0
}

const TESTS = 'packages/server/test/surfaces'
const began = performance.now()
const results: Result[] = []
for (const store of await stores()) {
  const passed =
    store === 'memory'
      ? run('node', `${TESTS}/kills.test.ts`, { HOLDPOINT_SURFACE_KILLS: `${rounds}` })
      : run('system', `${TESTS}/node-kills.test.ts`, {
          HOLDPOINT_NODE_KILLS: `${rounds}`,
          HOLDPOINT_SURFACE_STORE: store,
        })
  results.push({
    ...{ id: `surface-kills-${store}`, unit: '', better: 'lower', value: passed ? 0 : 1, target: 0 },
    scenario: `a node that sends messages, killed ${rounds} times at random steps, ${store}`,
    figure: 'histories with a question without a message, a message repeated outside of its window, or two winners',
  })
}
report({
  about: `${rounds} × kill -9 on each store, seed ${seed}, in ${Math.round((performance.now() - began) / 1_000)} s`,
  results,
})
process.exit(results.some(({ value }) => value !== 0) ? 1 : 0)

/** The stores that respond here. A test of a missing one is skipped, which would count as passed. */
async function stores(): Promise<string[]> {
  const services = { postgres: await postgresUrl(), redis: await redisUrl() }
  const found = Object.entries(services).filter(([, service]) => 'value' in service)
  return ['memory', 'sqlite', ...found.map(([name]) => name)]
}
