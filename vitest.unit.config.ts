import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { SOURCE } from './scripts/published.ts'
import { sortTests } from './scripts/test-files.ts'

/** The files of tests on Node: those that stay in their process, and those that need processes, services or browsers. */
export const { inProcess, system } = sortTests(
  ['{packages,examples}/*/{src,test}/**/*.test.{ts,tsx}', '{test,bench}/**/*.test.ts'],
  import.meta.dirname,
)

/** Processes that tests start read compiled modules from here: a start takes a third of the time. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile')

export const resolve = { conditions: [SOURCE, ...defaultClientConditions] }
export const onNode = { resolve, ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } } }

/** Two cores may be shared by two runs: a limit is for what hangs, not for what is slow. */
export const limits = { testTimeout: 20_000, hookTimeout: 40_000 }

/** Without browsers and other processes beside them two cores have room for five workers: these tests wait for timers. */
const workers = Math.max(5, availableParallelism() - 1)

/** In one process: these files share workers, and each module is read once. They run after all others. */
export const unit: TestProjectInlineConfiguration = {
  ...onNode,
  test: {
    ...limits,
    name: 'node',
    maxWorkers: workers,
    sequence: { groupOrder: 1 },
    environment: 'node',
    include: inProcess,
    isolate: false,
    setupFiles: ['test/support/fresh-file.ts', 'packages/conformance/src/fixed-seed.ts'],
  },
}

/**
 * One worker more than two cores: many files of the system wait for processes, pages and clocks. Vitest keeps one core of
 * larger machines for itself.
 */
export const shared = {
  maxWorkers: Math.max(3, availableParallelism() - 1),
  sequence: { sequencer: LongestFirst },
}

/** The tests of `--unit` alone, without Storybook and Playwright, which take two seconds of processor to load. */
export default defineConfig({ test: { ...shared, maxWorkers: workers, projects: [unit] } })
