import { globSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { isBuiltin } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { shownDigest } from '@holdpoint/core/wire'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../scripts/chromium.ts'
import { packOnce } from './shared.ts'
import { MANAGER_OF_LARGE, type Stranger, stranger, type Tarballs } from './stranger.ts'

/** Everything is downloaded, installed and built here, on machines that may do other things beside it. */
const SLOW = { timeout: 600_000 }

/** All of them in CI; the oldest and the newest elsewhere, where a run should be short. */
const TYPESCRIPTS = process.env.CI ? ['5.4', '5.9', '6.0', '7.0'] : ['5.4', '7.0']

let tarballs: Tarballs
let browser: Browser
beforeAll(async () => {
  tarballs = await packOnce()
  browser = await launchChromium()
}, 120_000)
afterAll(async () => {
  await browser?.close()
})

const keep = (app: Stranger) => {
  onTestFinished(() => app.dispose())
  return app
}

async function approveIn(page: Page) {
  const approve = page.locator('[data-slot="approve"]:not([aria-disabled="true"], [data-armed="false"])')
  await approve.waitFor({ timeout: 60_000 })
  await approve.click()
}

describe('the published packages', () => {
  test('run in a plain script with npm', SLOW, async () => {
    const app = keep(await stranger('node', tarballs, { with: 'npm', uses: ['core', 'server'] }))
    expect(await app.run(process.execPath, 'main.mjs')).toBe('a.txt is gone\ntrue denied\n')
  })

  test('compile in an Express app with pnpm, including their types, and answer a question', SLOW, async () => {
    const app = keep(
      await stranger('express', tarballs, {
        with: 'pnpm',
        uses: ['core', 'server'],
        versions: { typescript: '7.0.2' },
      }),
    )
    await app.run('tsc')
    const said = await app.start(/listening on \d+/, process.execPath, 'built/server.js')
    const url = `http://127.0.0.1:${/listening on (\d+)/.exec(said)?.[1]}`
    const asked = fetch(`${url}/ask`, { method: 'POST' }).then((response) => response.json())
    const question = await firstOf(`${url}/holdpoint`)
    const answered = await fetch(`${url}/holdpoint/sessions/chat/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({
        type: 'tool_interaction_response',
        clientId: 'c1',
        callId: question.toolCallId,
        interactionId: question.interactionId,
        answerId: 'a1',
        shownDigest: shownDigest(question as never),
        action: 'approve',
      }),
    })
    expect(answered.status).toBe(200)
    expect(await asked).toEqual({ outcome: 'approved' })
  })

  test(
    'compile in a project with Express 4 and without the DOM library, each entry with TypeScript 5.4 to 7.0',
    SLOW,
    async () => {
      const app = keep(await stranger('types', tarballs, { with: MANAGER_OF_LARGE, uses: ['core', 'server'] }))
      const entries = ['core', 'server'].flatMap((name) => entriesOf(join(app.folder, 'node_modules/@holdpoint', name)))
      writeFileSync(
        join(app.folder, 'every-entry.ts'),
        `${entries.map((entry, n) => `import * as entry${n} from '${entry}'`).join('\n')}
export const entries = [${entries.map((_, n) => `entry${n}`)}]\n`,
      )
      for (const version of TYPESCRIPTS) {
        const tsc = `node_modules/typescript-${version}/bin/tsc`
        const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--lib', 'es2023']
        const modules = ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', 'node']
        await app.run(process.execPath, tsc, ...options, ...modules, 'main.ts', 'every-entry.ts')
      }
      // pnpm links packages, and a search does not follow links.
      const chunks = ['core', 'server'].flatMap((name) => {
        const cwd = realpathSync(join(app.folder, 'node_modules/@holdpoint', name))
        return globSync('dist/**/*.js', { cwd }).map((file) => join(cwd, file))
      })
      expect(chunks.length).toBeGreaterThan(100)
      const bare = chunks.flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?['"]([a-z_]+(?:\/promises)?)['"]/g)]
          .filter(([, name]) => isBuiltin(name ?? ''))
          .map(([found]) => `${file}: ${found}`),
      )
      expect(bare, 'Deno and Workers know the modules of Node by `node:` alone').toEqual([])
      expect(await app.run(process.execPath, 'express-4.mjs')).toBe('4 200 {"items":[]}\n')
    },
  )

  test.each([
    ['React 19, with npm', 'npm', {}],
    [
      'React 18, with pnpm',
      'pnpm',
      {
        typescript: '7.0.2',
        react: '18.3.1',
        'react-dom': '18.3.1',
        '@types/react': '18.3.27',
        '@types/react-dom': '18.3.7',
      },
    ],
  ] as const)(
    'compile in a Vite app of %s, including their types, and show a card that answers',
    SLOW,
    async (_, manager, versions) => {
      const app = keep(await stranger('vite', tarballs, { with: manager, uses: ['core', 'react'], versions }))
      await app.run('tsc')
      await app.run('vite', 'build')
      const page = await browser.newPage()
      onTestFinished(() => page.close())
      await page.goto(await serve(join(app.folder, 'dist')))
      await page.getByText('Delete it?', { exact: true }).waitFor()
      await approveIn(page)
      await page.locator('[data-state="answered-here"]').first().waitFor()
    },
  )

  test('work in a Next app in under 40 lines: it compiles, builds, and continues after the answer', SLOW, async () => {
    const app = keep(await stranger('next', tarballs, { with: MANAGER_OF_LARGE, uses: ['core', 'react', 'server'] }))
    const added = globSync('app/{holdpoint.ts,questions.tsx,ask/route.ts,holdpoint/*/route.ts}', { cwd: app.folder })
    const lines = added.flatMap((file) => readFileSync(join(app.folder, file), 'utf8').trim().split('\n'))
    expect(added.length).toBe(4)
    expect(lines.length).toBeLessThan(40)
    await app.run('next', 'build')
    const said = await app.start(/Ready/, 'next', 'start', '--port', '0')
    const url = `http://localhost:${/localhost:(\d+)/.exec(said)?.[1]}`
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(url)
    const asked = fetch(`${url}/ask`, { method: 'POST' }).then((response) => response.json())
    await approveIn(page)
    expect(await asked).toMatchObject({ outcome: 'approved' })
  })
})

/** Their declarations are those of the optional peer, which this app does not install. */
const NEEDS_ITS_PEER = ['./acp', './ai-sdk', './claude-agent-sdk', './langchain', './msw', './openai-agents']

/** The import paths of an installed package. The types of the AI SDK and of LangChain need the DOM library. */
function entriesOf(folder: string): string[] {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.keys(exports)
    .filter((path) => !path.endsWith('.json') && !NEEDS_ITS_PEER.includes(path))
    .map((path) => name + path.slice(1))
}

/** Returns the first open question in the inbox. */
async function firstOf(mount: string): Promise<{ interactionId: string; toolCallId: string }> {
  for (let tries = 0; tries < 300; tries++) {
    const { items } = await (await fetch(`${mount}/inbox`)).json()
    if (items[0]) return items[0].interaction.request
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('no question came within fifteen seconds')
}

/** Serves files like a static host. */
async function serve(folder: string): Promise<string> {
  const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', html: 'text/html' }
  const server = createServer((request, response) => {
    const name = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1)
    try {
      const body = readFileSync(join(folder, name))
      response
        .writeHead(200, { 'content-type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream' })
        .end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
