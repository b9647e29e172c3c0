import { globSync } from 'node:fs'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { chromiumPath } from './scripts/chromium.ts'
import { SOURCE } from './scripts/published.ts'

const exclude = ['**/node_modules/**', '**/dist/**', '**/.next/**']
const browserTests = '**/*.browser.test.{ts,tsx}'
const resolve = { conditions: [SOURCE, ...defaultClientConditions] }
const hasStories = globSync('packages/react/src/**/*.stories.tsx').length > 0

const executablePath = await chromiumPath()

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

const tests: TestProjectInlineConfiguration[] = [
  {
    resolve,
    ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
    test: {
      ...limits,
      name: 'node',
      environment: 'node',
      include: ['{packages,examples}/*/{src,test}/**/*.test.{ts,tsx}', '{test,bench}/**/*.test.ts'],
      exclude: [...exclude, browserTests],
      sequence: { groupOrder: 0 },
    },
  },
  {
    plugins: [react()],
    resolve,
    // Found only while tests run, they would reload the page under them.
    optimizeDeps: {
      include: [
        '@radix-ui/react-focus-scope',
        '@radix-ui/react-slot',
        '@tanstack/react-query',
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
      sequence: { groupOrder: 1 },
    },
  },
]

/** Every story is a test: it renders, plays, and has no accessibility violation. */
const stories = (): TestProjectInlineConfiguration => ({
  plugins: [storybookTest({ configDir: '.storybook' })],
  resolve,
  test: { ...limits, name: 'storybook', browser: browser(), sequence: { groupOrder: 2 } },
})

export default defineConfig({ test: { projects: hasStories ? [...tests, stories()] : tests } })
