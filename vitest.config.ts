import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { chromiumPath } from './scripts/chromium.ts'
import { LongestFirst } from './scripts/longest-first.ts'
import { SOURCE } from './scripts/published.ts'
import { sortTests } from './scripts/test-files.ts'

const exclude = ['**/node_modules/**', '**/dist/**', '**/.next/**']
const browserTests = '**/*.browser.test.{ts,tsx}'
const { inProcess, system: outside } = sortTests(
  ['{packages,examples}/*/{src,test}/**/*.test.{ts,tsx}', '{test,bench}/**/*.test.ts'],
  import.meta.dirname,
)
/** The soak adds network devices to the machine and pulls cables. Chromium then drops the connections of all its pages. */
const isSoak = (file: string) => file.startsWith('test/soak/')
const system = outside.filter((file) => !isSoak(file))
const soak = outside.filter(isSoak)
const resolve = { conditions: [SOURCE, ...defaultClientConditions] }
const hasStories = globSync('packages/react/src/**/*.stories.tsx').length > 0

const executablePath = await chromiumPath()

/** Processes that tests start read compiled modules from here: a start takes a third of the time. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile')

/** Two cores may be shared by two runs: a limit is for what hangs, not for what is slow. */
const limits = { testTimeout: 20_000, hookTimeout: 40_000 }

/** Each project has its own: Vitest writes into it. */
const browser = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({
    // Nothing depends on the machine's language, time zone or screen.
    contextOptions: { locale: 'en-US', timezoneId: 'UTC', deviceScaleFactor: 1 },
    launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu'] },
  }),
  instances: [{ browser: 'chromium' as const }],
})

const onNode = { resolve, ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } } }

const tests: TestProjectInlineConfiguration[] = [
  // In one process: these files share workers, and each module is read once.
  {
    ...onNode,
    test: {
      ...limits,
      name: 'node',
      environment: 'node',
      include: inProcess,
      isolate: false,
      setupFiles: ['test/support/fresh-file.ts'],
    },
  },
  // Processes, services, and browsers that a test drives itself.
  {
    ...onNode,
    test: {
      ...limits,
      name: 'system',
      environment: 'node',
      include: system,
      globalSetup: ['test/strangers/run-folder.ts'],
    },
  },
  // After all others, because it disturbs the network of the machine.
  {
    ...onNode,
    test: { ...limits, name: 'soak', environment: 'node', include: soak, sequence: { groupOrder: 1 } },
  },
  {
    plugins: [react()],
    resolve,
    // Found only while tests run, they would reload the page under them.
    optimizeDeps: {
      include: [
        '@tanstack/react-query',
        '@tanstack/react-virtual',
        'axe-core',
        'radix-ui/dialog',
        'radix-ui/popover',
        'vitest-browser-react',
      ].map((dependency) => `@holdpoint/react > ${dependency}`),
    },
    test: {
      ...limits,
      name: 'browser',
      include: [`packages/${browserTests}`, `test/${browserTests}`],
      exclude,
      // As with the limits above: what is waited for comes, only later where others work too.
      expect: { poll: { timeout: 10_000 } },
      browser: browser(),
    },
  },
]

/** Every story is a test: it renders, plays, and has no accessibility violation. */
const stories = (): TestProjectInlineConfiguration => ({
  plugins: [storybookTest({ configDir: '.storybook' })],
  resolve,
  test: { ...limits, name: 'storybook', browser: browser() },
})

/**
 * One worker more than two cores: many files of the system wait for processes, pages and clocks. Vitest keeps one core of
 * larger machines for itself.
 */
export default defineConfig({
  test: {
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: hasStories ? [...tests, stories()] : tests,
  },
})
