import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileLock, fileTokenStore } from '@holdpoint/core/node'
import { createTokenManager } from '@holdpoint/core/tokens'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { refreshWith } from './refresh-with.ts'
import { strictProvider } from './strict-provider.ts'

let provider: Awaited<ReturnType<typeof strictProvider>>
let folder: string
beforeAll(async () => {
  provider = await strictProvider()
  folder = mkdtempSync(join(tmpdir(), 'hp-strict-'))
})
afterAll(async () => {
  await provider.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => rmSync(folder, { recursive: true, force: true }))

const manager = () =>
  createTokenManager({
    store: fileTokenStore({ folder }),
    lock: fileLock({ folder }),
    refresh: (tokens, { signal }) => refreshWith(provider.issuer, tokens, signal),
  })

test('the strict provider revokes the family after a second use of a refresh token', async () => {
  const first = await provider.signIn()
  const second = await refreshWith(provider.issuer, first)
  await expect(refreshWith(provider.issuer, first)).rejects.toMatchObject({ code: 'invalid_grant' })
  await expect(refreshWith(provider.issuer, second)).rejects.toMatchObject({ code: 'invalid_grant' })
})

test('one of 20 callers in a process refreshes', async () => {
  const tokens = manager()
  await tokens.signIn(await provider.signIn())
  const all = await Promise.all(Array.from({ length: 20 }, () => tokens.token()))
  expect([new Set(all).size, provider.refreshes()]).toEqual([1, 1])
})

test('20 callers in each of 5 processes refresh once, and the family stays valid [Mb.1]', async () => {
  for (let round = 0; round < 3; round++) {
    const tokens = manager()
    await tokens.signIn(await provider.signIn())
    const answers = await inProcesses(5)
    expect(new Set(answers).size, `all hold the same token: ${answers}`).toBe(1)
    expect(answers[0]).not.toMatch(/error|expired/)
    expect(provider.refreshes()).toBe(1)
    await tokens.renew(JSON.parse(answers[0]!)[0])
    expect([tokens.status(), provider.refreshes()]).toEqual(['signed-in', 2])
  }
}, 60_000)

test('signing out wins while 5 processes refresh', async () => {
  const tokens = manager()
  await tokens.signIn(await provider.signIn())
  const answers = inProcesses(5, () => void tokens.signOut())
  await answers
  await expect(tokens.token()).rejects.toMatchObject({ code: 'signed_out' })
  expect((await fileTokenStore({ folder }).read('default'))?.tokens).toBeNull()
}, 60_000)

test('four processes that count in one file lose no write', async () => {
  const script = new URL('./writer-process.ts', import.meta.url).pathname
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, folder, '60'], { stdio: 'inherit' }),
  )
  await Promise.all(children.map((child) => once(child, 'close')))
  expect((await fileTokenStore({ folder }).read('counter'))?.data.count).toBe('240')
}, 60_000)

/** Starts processes, releases them together, and returns their output. */
async function inProcesses(count: number, meanwhile = () => {}): Promise<string[]> {
  const script = new URL('./caller-process.ts', import.meta.url).pathname
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, folder, provider.issuer, '20'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  const lines = children.map((child) => createInterface({ input: child.stdout! })[Symbol.asyncIterator]())
  try {
    for (const line of lines) expect((await line.next()).value).toBe('ready')
    for (const child of children) child.stdin!.write('go\n')
    meanwhile()
    return await Promise.all(lines.map(async (line) => String((await line.next()).value)))
  } finally {
    await Promise.all(children.map(end))
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.stdin?.destroy()
  child.kill()
  await closed
}
