import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@holdpoint/conformance/free-port'
import { createHoldpointClient, sse } from '@holdpoint/core'
import { expect, onTestFinished, test } from 'vitest'
import { runnableBlocks } from '../scripts/check-docs.ts'
import { SOURCE } from '../scripts/published.ts'
import { ROOT } from './support/graph.ts'

const [server, page] = runnableBlocks('README.md', readFileSync(join(ROOT, 'README.md'), 'utf8'))

/** The code after the first block: it reports progress on the context of the block. */
const PROGRESS = "await ctx.log('3 files deleted')\nawait ctx.update({ status: 'completed', output: { deleted: 3 } })"

test('the first block of README.md is a server that the client of the second block can answer, and its context reports progress', async () => {
  const path = /url: '([^']+)'/.exec(page?.code ?? '')?.[1]
  const port = await freePort()
  const cache = join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const code = server?.code.replace('listen(3000)', `listen(${port})`) ?? ''
  expect(code).toContain(`listen(${port})`)
  writeFileSync(join(folder, 'server.mjs'), `${code}\n${PROGRESS}\nconsole.log('approved')\n`)
  const child = spawn(process.execPath, [`--conditions=${SOURCE}`, 'server.mjs'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'development' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk
    })
  }
  const url = `http://localhost:${port}`
  const client = createHoldpointClient({
    sessionId: 'task-42',
    // Headers that a browser adds to the requests of the app's own page.
    transport: sse({ url: `${url}${path}`, headers: { origin: url } }),
    maxRetryDelayMs: 100,
  })
  onTestFinished(() => client.close())
  client.connect()
  const pending = () => client.getSnapshot().pendingIds[0]
  await expect.poll(pending, { timeout: 15_000, message: said }).toBeTruthy()
  expect(await client.respond(pending() ?? '', { action: 'approve' })).toEqual({ status: 'accepted' })
  await expect.poll(() => said).toContain('approved')
  const call = () => client.getSnapshot().toolCalls.get('call-1')
  await expect
    .poll(call)
    .toMatchObject({ toolName: 'delete_files', logs: ['3 files deleted'], status: 'completed', output: { deleted: 3 } })
})
