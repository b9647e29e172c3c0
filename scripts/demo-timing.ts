import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { shownDigest } from '@holdpoint/core/wire'
import { run, since } from './run.ts'

/**
 * How long a newcomer waits: a fresh clone of this commit, with empty stores and caches, from the one command to the
 * first approval that counts; then the same command again. Needs a network.
 */
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-newcomer-'))
const repository = join(folder, 'holdpoint')
const inside = (name: string) => join(folder, name)
const env = {
  npm_config_cache: inside('npm'),
  npm_config_store_dir: inside('store'),
  pnpm_config_store_dir: inside('store'),
  PNPM_HOME: inside('pnpm'),
  XDG_CACHE_HOME: inside('cache'),
  XDG_DATA_HOME: inside('data'),
  XDG_STATE_HOME: inside('state'),
  HOLDPOINT_HOME: inside('home'),
  npm_execpath: '',
  NODE_ENV: '',
  PORT: '',
}

try {
  await run('git', ['clone', '--quiet', '.', repository])
  for (const name of ['cold', 'warm']) {
    const began = performance.now()
    const { url, stop } = await demo()
    const up = since(began)
    await approve(url)
    console.log(`${name}: ${since(began)} to the first approval, ${up} of it until the address was printed (${load()})`)
    await stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function load(): string {
  return `load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores`
}

/** The command of the README, until it says where. */
function demo(): Promise<{ url: string; stop(): Promise<void> }> {
  const clean = Object.entries(process.env).filter(([name]) => !/^(npm_|pnpm_|INIT_CWD|NODE_OPTIONS)/i.test(name))
  const child = spawn('npx', ['-y', 'pnpm@12', 'demo'], {
    cwd: repository,
    env: { ...Object.fromEntries(clean), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const url = /runs at +(http:\/\/\S+)/.exec(said)?.[1]
      if (!url) return
      const stop = async () => {
        // Ctrl-C reaches the whole group.
        process.kill(-(child.pid as number), 'SIGINT')
        await ended
      }
      resolve({ url, stop })
    })
    child.once('error', reject)
    void ended.then(() => reject(new Error(`the demo ended before it said where it is:\n${said}`)))
  })
}

/** Ada says "delete", the agent asks, she approves: as her browser would. */
async function approve(url: string): Promise<void> {
  const login = await post(`${url}/api/login`, { userId: 'ada' })
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const sessionId = `ada-${crypto.randomUUID().slice(0, 8)}`
  const session = `${url}/holdpoint/sessions/${sessionId}`
  await post(`${url}/api/chat`, { sessionId, message: 'delete' }, cookie)
  for (;;) {
    const { interactions = [] } = await (await fetch(session, { headers: { cookie } })).json()
    const question = interactions[0]?.request
    if (question) {
      const { interactionId, toolCallId: callId } = question
      const answer = { type: 'tool_interaction_response', clientId: 'timing', answerId: 'yes', action: 'approve' }
      await post(
        `${session}/messages`,
        { ...answer, interactionId, callId, shownDigest: shownDigest(question) },
        cookie,
      )
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function post(url: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: new URL(url).origin, cookie }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response
}
