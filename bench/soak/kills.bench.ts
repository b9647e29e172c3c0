import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { report } from '../support/report.ts'
import { settings } from './settings.ts'

/**
 * The kill harness of the server's tests, with more rounds than a test has time for: a process on SQLite is killed with
 * -9 at seeded random moments, and what was acknowledged, done and delivered is compared. `--rounds 1000 --seed N`.
 */
const { rounds, seed } = settings(process.argv.slice(2), process.env)
const root = join(import.meta.dirname, '..', '..')
const TEST = 'packages/server/test/engine/kill.test.ts'

const began = performance.now()
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'system', TEST], {
  cwd: root,
  env: { ...process.env, HOLDPOINT_KILLS: `${rounds}`, HOLDPOINT_SEED: `${seed}` },
  // Its output belongs to the progress; the last line of the result is ours.
  stdio: ['ignore', 2, 2],
})
report({
  about: `${rounds} × kill -9, seed ${seed}, in ${Math.round((performance.now() - began) / 1_000)} s`,
  results: [
    {
      ...{
        id: 'kills',
        scenario: `a process killed ${rounds} times at random moments`,
        figure: 'histories with something lost or doubled',
      },
      ...{ unit: '', better: 'lower', value: status === 0 ? 0 : 1, target: 0 },
    },
  ],
})
process.exit(status === 0 ? 0 : 1)
