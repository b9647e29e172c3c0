import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@holdpoint/conformance/free-port'
import { type LocalOAuth, localOAuth, TestBrowser } from '@holdpoint/conformance/local-oauth'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppSetup } from './browser/app.child.ts'

/** The content of a dump of the server's memory, its database files, or its log. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const CHILD = fileURLToPath(new URL('./browser/app.child.ts', import.meta.url))
const NODE = [
  '--conditions=holdpoint-source',
  '--disable-warning=ExperimentalWarning',
  // Strings are dumped whole: a token at the end of a long one counts too.
  '--heap-snapshot-string-limit=100000000',
]
/** Long enough to be used before it dies, short enough to be waited for. */
const TOKEN_SECONDS = 6
let folder: string
let oauth: LocalOAuth
let child: ChildProcess
let origin: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hp-heap-'))
})
afterEach(async () => {
  const gone = new Promise((done) => child.once('exit', done))
  child.kill('SIGKILL')
  await gone
  await oauth.close()
  rmSync(folder, { recursive: true, force: true })
})

async function start(database?: string): Promise<void> {
  const port = await freePort()
  origin = `http://localhost:${port}`
  oauth = await localOAuth({
    redirectUris: [`${origin}/holdpoint/connections/callback`],
    accessTokenSeconds: TOKEN_SECONDS,
  })
  const setup: AppSetup = {
    port,
    ...(database && { database }),
    providers: [oauth.slack],
    api: oauth.url,
    script: '',
    log: join(folder, 'log.txt'),
  }
  child = spawn(process.execPath, [...NODE, CHILD, JSON.stringify(setup)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await said()
}

const said = () =>
  new Promise<unknown>((done, failed) => {
    child.once('message', done)
    child.once('exit', (code) => failed(new Error(`The app ended (${code}).`)))
  })
async function tell(command: { heap?: string; keep?: string }): Promise<void> {
  const answered = said()
  child.send(command)
  await answered
}

const headers = { origin: '', 'content-type': 'application/json' }
async function call<T>(path: string, init: { body?: object; cookie?: string; bearer?: string } = {}): Promise<T> {
  const { body, cookie, bearer } = init
  const response = await fetch(`${origin}/holdpoint${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...headers,
      origin,
      connection: 'close',
      ...(cookie && { cookie }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as T
}

/** A tool that waits for Slack, a person who connects it, renewed tokens, and a command-line program that signs in. */
async function live(): Promise<Map<string, string>> {
  const cookie = 'user=ada'
  await fetch(`${origin}/start?session=chat&user=ada`, { headers: { connection: 'close' } })
  const interactionId = await vi.waitFor(
    async () => {
      const { interactions } = await call<{ interactions: { request: { interactionId: string } }[] }>(
        '/sessions/chat',
        { cookie },
      )
      const id = interactions[0]?.request.interactionId
      if (!id) throw new Error('nothing is asked yet')
      return id
    },
    { timeout: 30_000, interval: 50 },
  )
  const body = { interactionId, integration: 'slack', returnTo: '/chat' }
  const { url } = await call<{ url: string }>('/sessions/chat/connect', { body, cookie })
  const browser = new TestBrowser()
  browser.cookies.set(new URL(origin).host, new Map([['user', 'ada']]))
  await browser.submit(await browser.open(url), { login: 'ada', decision: 'allow' })
  await vi.waitFor(() => expect(oauth.messages).toHaveLength(1), { timeout: 30_000, interval: 50 })

  const started = await call<{ authorization_url: string; state: string; poll_secret: string }>(
    '/connections/connect?service=slack',
    { body: {} },
  )
  const person = new TestBrowser()
  const consent = await person.submit(await person.open(started.authorization_url))
  await person.submit(consent, { login: 'bob', decision: 'allow' })
  const signedIn = await call<{ token: string; refresh_token: string }>(`/auth/status/${started.state}`, {
    bearer: started.poll_secret,
  })
  const rotated = await call<{ token: string; refresh_token: string }>('/auth/refresh', {
    body: { refresh_token: signedIn.refresh_token },
  })
  await call('/connections', { bearer: rotated.token })

  // The first token has died by now: this run renews it.
  await new Promise((died) => setTimeout(died, TOKEN_SECONDS * 1_000 + 100))
  await fetch(`${origin}/start?session=chat2&user=ada`, { headers: { connection: 'close' } })
  await vi.waitFor(() => expect(oauth.messages).toHaveLength(2), { timeout: 30_000, interval: 50 })
  expect(oauth.grants.refresh_token).toBeGreaterThanOrEqual(1)
  // Requests of other users follow, as on a real server.
  for (let n = 0; n < 20; n++) await call('/sessions/chat', { cookie })

  const secrets = new Map(oauth.issued.map((token, index) => [`code or token ${index} of the service`, token]))
  secrets.set('session token', signedIn.token).set('renewed session token', rotated.token)
  secrets.set('refresh token', signedIn.refresh_token).set('rotated refresh token', rotated.refresh_token)
  secrets.set('poll secret', started.poll_secret)
  expect(secrets.size).toBeGreaterThanOrEqual(12)
  for (const [name, secret] of secrets) expect(secret?.length, name).toBeGreaterThan(20)
  return secrets
}

function found(bytes: Buffer, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].filter(([, secret]) => bytes.includes(secret)).map(([name]) => name)
}

describe('threats 19 and 20: a stolen dump', () => {
  test('threat 20: the heap of a server whose event store is in memory contains no token, code or secret', async () => {
    await start()
    const secrets = await live()
    await tell({ keep: 'a-canary-that-is-kept-in-memory' })
    const path = join(folder, 'server.heapsnapshot')
    await tell({ heap: path })
    const dump = readFileSync(path)
    // The search would find one: what is kept is there, and so are the rows and events that are about the tokens.
    expect(dump.includes('a-canary-that-is-kept-in-memory')).toBe(true)
    expect(dump.includes('auth_needed')).toBe(true)
    expect(dump.includes('to post the summary')).toBe(true)
    expect(found(dump, secrets)).toEqual([])
  })

  test('threats 19 and 20: the files of the database and the log contain none either', async () => {
    await start(join(folder, 'data.db'))
    const secrets = await live()
    const files = readdirSync(folder).filter((name) => name.startsWith('data.db'))
    expect(files).toContain('data.db-wal')
    const database = Buffer.concat(files.map((name) => readFileSync(join(folder, name))))
    expect(database.includes('auth_needed')).toBe(true)
    expect(database.includes('conn_account')).toBe(true)
    expect(found(database, secrets)).toEqual([])
    const log = readFileSync(join(folder, 'log.txt'))
    expect(log.includes('connected')).toBe(true)
    expect(found(log, secrets)).toEqual([])
  })
})
