import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWith, has, postgresPrograms } from '@holdpoint/conformance/services'
import { afterAll, afterEach, expect, test } from 'vitest'
import { isFree } from '../../scripts/free-port.ts'
import { signIn } from './over-http.ts'

const LIMIT = 600_000
const home = mkdtempSync(join(tmpdir(), 'holdpoint-demo-'))
const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** The demo as pnpm starts it. */
function demo(args: string[] = [], env: Record<string, string> = {}, node: string[] = []) {
  const child = spawn(process.execPath, [...node, 'scripts/demo.mjs', ...args], {
    env: { ...process.env, HOLDPOINT_HOME: home, PORT: '', NODE_ENV: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let said = ''
  const says = (words: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => said.includes(words) && resolve(said)
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          said += chunk.toString()
          look()
        })
      }
      child.once('close', (code) => reject(new Error(`the demo ended (${code}) and never said "${words}": ${said}`)))
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, says, ended }
}

test.each(['nextjs', 'express'])(
  'the demo %s prints its address, answers there, and ends with Ctrl-C',
  { timeout: LIMIT },
  async (name) => {
    const { child, says, ended } = demo([name])
    const said = await says('Ctrl-C stops it')
    const url = /http:\/\/localhost:(\d+)/.exec(said)
    expect((await fetch(`${url?.[0]}/api/me`)).status).toBe(200)
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(await isFree(Number(url?.[1]))).toBe(true)
  },
)

for (const [kind, found] of [
  ['postgres', postgresPrograms()],
  ['redis', has('redis-server')],
] as const) {
  describeWith(`--store ${kind}`, found, () => {
    test.each(['express', 'nextjs'])(
      '%s is stopped while a question waits and starts again: the first approval resumes the tool, and no process stays',
      // It is started twice, and each time whatever changed meanwhile is built.
      { timeout: 2 * LIMIT },
      async (name) => {
        const place = join(home, `${name}-${kind}`)
        // Empty values, because a developer need not run these services.
        const env = { HOLDPOINT_HOME: place, DATABASE_URL: '', REDIS_URL: '' }
        const url = (said: string) => /http:\/\/localhost:\d+/.exec(said)?.[0] ?? ''
        const first = demo([name, '--store', kind], env)
        const ada = await signIn(url(await first.says('Ctrl-C stops it')))
        await ada.say('delete')
        expect(await ada.question()).toMatchObject({ toolName: 'delete_files' })
        first.child.kill('SIGINT')
        expect(await first.ended).toBe(0)

        const second = demo([name, '--store', kind], env)
        const said = await second.says('Ctrl-C stops it')
        expect(said).toContain(join(place, kind))
        const again = await signIn(url(said), ada.sessionId)
        await again.approve(await again.question())
        expect(await again.finished()).toBe('approve')
        second.child.kill('SIGINT')
        expect(await second.ended).toBe(0)
        expect(await isFree(Number(new URL(url(said)).port))).toBe(true)
        // PostgreSQL leaves this behind when it was not ended in an orderly way.
        expect(existsSync(join(place, 'postgres', 'postmaster.pid'))).toBe(false)
      },
    )
  })
}

test('the demo reports a port that is in use', { timeout: LIMIT }, async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, resolve))
  const { port } = taken.address() as AddressInfo
  const { says } = demo([], { PORT: String(port) })
  await says(`Port ${port} is taken.`)
  taken.close()
})

test('the demo reports a folder that cannot be written', { timeout: LIMIT }, async () => {
  const file = join(home, 'a-file')
  writeFileSync(file, '')
  const { says } = demo([], { HOLDPOINT_HOME: file })
  await says(`The demo keeps its data in ${file}, and that cannot be written`)
})

test('the demo reports a disk that is nearly full', { timeout: LIMIT }, async () => {
  const full = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'
    fs.statfsSync = () => ({ bavail: 100, bsize: 1_000_000 }); syncBuiltinESMExports()`
  const { says } = demo([], {}, ['--import', `data:text/javascript,${encodeURIComponent(full)}`])
  await says('The disk is nearly full: 100 MB are left, the demo needs 400. Make room first.')
})

test('the demo reports an unknown store', { timeout: LIMIT }, async () => {
  for (const args of [['--store', 'mysql'], ['--store=mysql'], ['--store']]) {
    await demo(args).says('Say --store postgres or --store redis; without it a file is used.')
  }
})

test('the demo reports a Node version that is too old', { timeout: LIMIT }, async () => {
  const old = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } })'
  const { says } = demo([], {}, ['--import', `data:text/javascript,${encodeURIComponent(old)}`])
  await says('The demo needs Node 22.18 or newer')
})
