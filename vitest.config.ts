import { globSync } from 'node:fs'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { chromiumPath } from './scripts/chromium.ts'
import { limits, onNode, resolve, shared, system, unit } from './vitest.unit.config.ts'

const exclude = ['**/node_modules/**', '**/dist/**', '**/.next/**']
const browserTests = '**/*.browser.test.{ts,tsx}'
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
