import { mkdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.ts'
import { chosenStore, type DemoStore, demoStore } from './demo-store.ts'
import { buildExample, type Example } from './example-build.ts'
import { freePort, isFree } from './free-port.ts'
import { processes } from './processes.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

const NEEDED_BYTES = 400_000_000
const which: Example = process.argv.slice(2).includes('express') ? 'express' : 'nextjs'
const folder = join(root, 'examples', which)
const home = process.env.HOLDPOINT_HOME ?? join(folder, '.holdpoint')

checkDisk()
const kind = chooseStore()
const port = await choosePort()
const url = `http://localhost:${port}`
if (!(await build({ stale: true })) || !(await buildExample(which))) fail('Something does not build: see above.')

const store = await database()
const running = processes({
  cwd: folder,
  env: { ...env(), ...store?.env, NODE_ENV: which === 'express' ? 'development' : 'production' },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop(0))
if (which === 'express') running.start('the example', ['server/main.ts'])
else {
  const oauthPort = await freePort(4010)
  running.start('the simulated Slack and Gmail', ['oauth.ts'], { LOCAL_OAUTH_PORT: String(oauthPort) })
  running.start('the example', ['node_modules/next/dist/bin/next', 'start', '--port', String(port)], {
    LOCAL_OAUTH_URL: `http://127.0.0.1:${oauthPort}`,
  })
}
running.onEnd((said) => {
  console.error(said)
  void stop(1)
})
if (await running.answers(`${url}/api/me`)) {
  console.log(`
  The Holdpoint example runs at  ${url}

  Sign in as Ada and say "delete", "survey", "email", "slack", "report", "deploy" or "later".
  Open a second tab and answer there; or stop this process while a question waits, and start it again.
  ${which === 'nextjs' ? `The same chat with the AI SDK's own approval: ${url}/plain` : 'SSE or WebSocket: choose above the chat.'}
  Ctrl-C stops it. Everything is kept in ${store?.kept ?? home}
`)
}

function env(): Record<string, string> {
  return { PORT: String(port), APP_URL: url, HOLDPOINT_HOME: home, NEXT_TELEMETRY_DISABLED: '1' }
}

async function stop(code: number): Promise<never> {
  await running.stop()
  await store?.stop()
  process.exit(code)
}

/** Runs before the build, so that a wrong option is reported at once. */
function chooseStore() {
  try {
    return chosenStore(process.argv.slice(2))
  } catch (error) {
    return fail((error as Error).message)
  }
}

/** `--store postgres` or `--store redis`. */
async function database(): Promise<DemoStore | undefined> {
  if (kind === undefined) return undefined
  return await demoStore(kind, home).catch((error: Error) => fail(error.message))
}

/** A port that was asked for must be had; otherwise any will do. */
async function choosePort(): Promise<number> {
  const wished = Number(process.env.PORT)
  if (!wished) return await freePort(3000)
  if (await isFree(wished)) return wished
  return fail(`Port ${wished} is taken. Stop what runs there, or choose another: PORT=3001 npx -y pnpm@12 demo`)
}

function checkDisk(): void {
  try {
    const { bavail, bsize } = statfsSync(root)
    if (bavail * bsize < NEEDED_BYTES) {
      fail(
        `The disk is nearly full: ${Math.round((bavail * bsize) / 1e6)} MB are left, the demo needs 400. Make room first.`,
      )
    }
    mkdirSync(home, { recursive: true, mode: 0o700 })
    writeFileSync(join(home, '.writable'), '')
  } catch (error) {
    fail(
      `The demo keeps its data in ${home}, and that cannot be written: ${(error as Error).message}. Say HOLDPOINT_HOME=… for another place.`,
    )
  }
}

function fail(words: string): never {
  console.error(`\n  ${words}\n`)
  process.exit(1)
}
