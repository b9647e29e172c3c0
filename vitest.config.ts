import { globSync } from 'node:fs'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { chromiumPath } from './scripts/chromium.ts'
import { limits, onNode, system as outside, resolve, shared, unit } from './vitest.unit.config.ts'

const exclude = ['**/node_modules/**', '**/dist/**', '**/.next/**']
const browserTests = '**/*.browser.test.{ts,tsx}'
/** The soak adds network devices to the machine and pulls cables. Chromium then drops the connections of all its pages. */
const isSoak = (file: string) => file.startsWith('test/soak/')
const system = outside.filter((file) => !isSoak(file))
const soak = outside.filter(isSoak)
const hasStories = globSync('packages/react/src/**/*.stories.tsx').length > 0

const executablePath = await chromiumPath()

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

const tests: TestProjectInlineConfiguration[] = [
  unit,
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
      // A page has no environment variables.
      provide: { isCI: Boolean(process.env.CI) },
    },
  },
]

/** Every story is a test: it renders, plays, and has no accessibility violation. */
const stories = (): TestProjectInlineConfiguration => ({
  plugins: [storybookTest({ configDir: '.storybook' })],
  resolve,
  test: { ...limits, name: 'storybook', browser: browser() },
})

export default defineConfig({ test: { ...shared, projects: hasStories ? [...tests, stories()] : tests } })
