import { globSync, readFileSync } from 'node:fs'
import { describeWith, postgresUrl, redisUrl } from '@holdpoint/conformance/services'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runnableBlocks } from '../../scripts/check-docs.ts'
import { launchChromium } from '../../scripts/chromium.ts'
import { filesOf } from './support/guide-code.ts'
import { type Guides, installGuides } from './support/guide-folder.ts'
import { playWithoutServer } from './support/play-without-server.ts'

const LIMIT = { timeout: 120_000 }

/** Guides whose code a program in `apps` imports and drives; it fails with an assertion. */
const programs = {
  node: ['packages/server/README.md'],
  websocket: ['docs/express.md'],
  accounts: ['docs/accounts.md'],
  'ai-sdk': ['docs/ai-sdk.md'],
  questions: ['docs/questions.md'],
  tools: ['docs/tools.md'],
  telemetry: ['docs/telemetry.md'],
  remote: ['docs/remote.md'],
  'openai-agents': ['docs/openai-agents.md'],
  mcp: ['docs/mcp.md'],
  langchain: ['docs/langchain.md'],
  acp: ['docs/acp.md'],
  'email-and-slack': ['docs/email-and-slack.md'],
  'answer-links': ['docs/answer-links.md'],
  'push-and-chat': ['docs/push-and-chat.md'],
  surfaces: ['docs/surfaces.md'],
  terminal: ['docs/own-markup.md'],
} as const
const others = [
  'docs/testing.md',
  'docs/theming.md',
  'docs/previews.md',
  'docs/stores.md',
  'docs/security.md',
  'docs/serverless.md',
]

/** Guides that are compiled, and that run somewhere else or not at all. */
const notHere: Record<string, string> = {
  'README.md': 'quick-start.test.ts runs it with a dev server',
  'docs/claude-agent-sdk.md':
    'its package brings a program of 230 MB; packages/server/test/bridges/claude-agent-sdk runs its code, examples/agents/src/claude.ts',
  'docs/errors.md': 'one expression',
  'docs/overview.md': 'a list of calls; the other guides run each of them',
  'packages/core/README.md': 'reference',
  'packages/react/README.md': 'reference',
}

let guides: Guides
let browser: Browser
const [postgres, redis] = [await postgresUrl(), await redisUrl()]
const urlOf = (found: typeof postgres) => ('value' in found ? found.value : '')
beforeAll(async () => {
  guides = await installGuides({
    DATABASE_URL: urlOf(postgres),
    REDIS_URL: urlOf(redis),
    AGENT_PASSWORD: 'a password of 16 characters at least'.replaceAll(' ', '-'),
    VAULT_KEY: Buffer.alloc(32, 1).toString('base64'),
    SLACK_ID: 'slack',
    SLACK_SECRET: 'secret',
    GOOGLE_ID: 'google',
    GOOGLE_SECRET: 'secret',
  })
  browser = await launchChromium()
}, 300_000)
afterAll(() => browser?.close())

describe('the code of a guide runs unchanged from packed packages', () => {
  test.each(Object.entries(programs))('%s: the program of %s runs', LIMIT, async (app, documents) => {
    await guides.open(app, documents).run('node', 'drive.ts')
  })

  test.each(['fastify', 'hono'])(
    'frameworks: the code of packages/server/README.md runs on %s',
    LIMIT,
    async (framework) => {
      await guides.open('frameworks', ['packages/server/README.md']).run('node', 'drive.ts', framework)
    },
  )

  test('testing: the tests of docs/testing.md pass in a separate project', LIMIT, async () => {
    expect(await guides.open('testing', ['docs/testing.md']).run('vitest', 'run')).toContain('2 passed')
  })

  test(
    'markup: the pages of docs/own-markup.md and docs/theming.md show their question and accept the answer',
    LIMIT,
    async () => {
      const folder = guides.open('markup', ['docs/own-markup.md', 'docs/theming.md'])
      await folder.run('vite', 'build')
      const server = await folder.start('drive.ts')
      onTestFinished(() => server.stop())
      const page = await browser.newPage()
      onTestFinished(() => page.close())
      await page.goto(server.url)
      for (const [part, sessionId] of Object.entries({ hooks: 'hooks', themed: 'themed', questions: 'task-42' })) {
        await page.locator(`#${part}`).getByText(`Continue with ${sessionId}?`).first().waitFor()
        await page
          .locator(`#${part}`)
          .getByRole('button', { name: /^Approve/ })
          .and(page.locator(':not([aria-disabled="true"], [data-armed="false"])'))
          .first()
          .click()
        await expect.poll(server.said).toContain(`${sessionId} approved`)
      }
    },
  )

  test('previews: a preview shows its arguments, the card shows all others, and they run as shown', LIMIT, async () => {
    const folder = guides.open('previews', ['docs/previews.md'])
    await folder.run('vite', 'build')
    const server = await folder.start('drive.ts')
    onTestFinished(() => server.stop())
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(server.url)
    const [shipped, own] = [page.locator('#shipped'), page.locator('#own')]
    await shipped.locator('[data-slot="preview"]').getByText('At one?').waitFor()
    await shipped.getByText('Everything else').waitFor()
    await own.locator('[data-slot="preview"]').getByText('#general').waitFor()
    for (const part of [shipped, own]) await part.locator('[data-slot="approve"]').press('Enter')
    await expect.poll(server.said).toContain('shipped approved {"to":["grace@example.com"]')
    await expect.poll(server.said).toContain('own approved {"channel_name":"general","text":"Lunch at one."}')
  })

  test(
    'mock: the page of docs/testing.md shows its three cards in a service worker, and continues after a reload',
    LIMIT,
    async () => {
      const folder = guides.open('mock', ['docs/testing.md'])
      await folder.run('msw', 'init', 'public', '--no-save')
      await folder.run('vite', 'build')
      const server = await folder.start('drive.ts')
      onTestFinished(() => server.stop())
      const page = await browser.newPage()
      onTestFinished(() => page.close())
      await playWithoutServer(page, server.url)
    },
  )

  test('each document with code is run here, or states why it is not', () => {
    const documents = globSync(['README.md', 'docs/*.md', 'packages/*/README.md'])
    const withCode = documents.filter((path) => runnableBlocks(path, readFileSync(path, 'utf8')).length > 0)
    const run = [...Object.values(programs).flat(), ...others]
    expect([...run, ...Object.keys(notHere)].sort()).toEqual(withCode.sort())
    expect(
      run.filter((path) => filesOf(path).size === 0),
      'guides that name no file',
    ).toEqual([])
  })
})

describeWith('the code of docs/stores.md, docs/security.md and docs/serverless.md on Postgres', postgres, () => {
  test('a question is asked and answered', LIMIT, async () => {
    await guides.open('stores', ['docs/stores.md']).run('node', 'drive.ts', 'postgres')
  })

  test('a refund suspends its function, and the request with the answer pays once', LIMIT, async () => {
    await guides.open('serverless', ['docs/serverless.md']).run('node', 'drive.ts')
  })

  test('only the owner, the support team and the named origin may read', LIMIT, async () => {
    await guides.open('security', ['docs/security.md']).run('node', 'drive.ts')
  })
})

describeWith('the code of docs/stores.md on Redis', redis, () => {
  test('a question is asked and answered', LIMIT, async () => {
    const folder = guides.open('stores', ['docs/stores.md'])
    await folder.run('node', 'drive.ts', 'redis')
  })
})
