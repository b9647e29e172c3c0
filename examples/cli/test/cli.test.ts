import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hasTerminal, jsonLines, type Running, start } from './support/errand.ts'
import { startServer } from './support/server.ts'

// Each command is a process, and signing in asks every three seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: Awaited<ReturnType<typeof startServer>>
let home: string
/** The files of a program after a sign-in. */
let signedIn: string
const running: Running[] = []
beforeAll(async () => {
  server = await startServer()
  home = signedIn = mkdtempSync(join(tmpdir(), 'hp-errand-'))
  expect((await signIn()).code).toBe(0)
})
afterAll(async () => {
  await server.close()
  rmSync(signedIn, { recursive: true, force: true })
})
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hp-errand-'))
  server.done.length = 0
})
afterEach(async () => {
  for (const one of running.splice(0)) {
    one.child.kill('SIGKILL')
    await one.ended
  }
  rmSync(home, { recursive: true, force: true })
})

/** A folder whose `xdg-open` writes down what it was given. */
const browserIn = () => join(home, 'bin')
function errand(args: string[], { terminal = false } = {}): Running {
  const one = start(args, {
    terminal,
    env: {
      XDG_CONFIG_HOME: home,
      HOLDPOINT_SERVER: server.url,
      PATH: `${browserIn()}:${process.env.PATH}`,
    },
  })
  running.push(one)
  return one
}
const run = (...args: string[]) => errand(args).ended
const json = async (...args: string[]) => {
  const { code, out } = await run(...args, '--json')
  return { code, events: jsonLines(out) }
}
/**
 * Restores the files of an earlier sign-in: a real one polls every three seconds, and these tests do not concern it.
 */
const wasSignedIn = () => cpSync(signedIn, home, { recursive: true })
/** The address that it wants to be opened. */
const opened = (one: Running) =>
  vi.waitFor(
    () => {
      const found = one.events().find(({ event }) => event === 'open')
      if (!found) throw new Error(`No address yet: ${one.out()} ${one.err()}`)
      return { url: String(found.url), code: String(found.code) }
    },
    { timeout: 60_000, interval: 50 },
  )
async function signIn(service = 'slack', login = 'ada') {
  const connecting = errand(['connect', service, '--json'])
  const { url, code } = await opened(connecting)
  expect(await server.authorize(url, { login })).toContain(code)
  return connecting.ended
}

describe('the program in a script', () => {
  test('connects, adds a service, lists accounts, disconnects and signs out', async () => {
    expect(await json('status')).toEqual({
      code: 3,
      events: [{ event: 'error', code: 'signed_out', message: 'No user is signed in. Sign in first.' }],
    })
    const first = await signIn()
    expect(first).toMatchObject({ code: 0, err: '' })
    const result = { event: 'result', command: 'connect', service: 'slack', status: 'connected', accountId: 'ada' }
    expect(jsonLines(first.out).at(-1)).toEqual(result)
    expect((await signIn('gmail')).code).toBe(0)
    const { code, events } = await json('status')
    expect(code).toBe(0)
    expect(events[0]).toMatchObject({
      command: 'status',
      accounts: { slack: { connected: true, user: { name: 'Ada' } }, gmail: { connected: true } },
    })
    expect((await json('disconnect', 'gmail')).events[0]).toMatchObject({ service: 'gmail', connected: false })
    expect((await run('status')).out).toBe('Slack: connected as Ada\nGmail: not connected\n')
    expect(await json('logout')).toEqual({ code: 0, events: [{ event: 'result', command: 'logout' }] })
    expect((await json('status')).code).toBe(3)
  })

  test('stores tokens in a file of its own that only the user can read, and prints none', async () => {
    const { out, err } = await signIn()
    const folder = join(home, 'holdpoint-errand')
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.json'))
    expect([statSync(folder).mode & 0o777, statSync(join(folder, file)).mode & 0o777]).toEqual([0o700, 0o600])
    const { accessToken, refreshToken } = JSON.parse(readFileSync(join(folder, file), 'utf8')).tokens
    expect(accessToken.length).toBeGreaterThan(20)
    for (const token of [accessToken, refreshToken]) expect(out + err).not.toContain(token)
  })

  test('leaves a confirmation open in one call, and answers it once in another', async () => {
    wasSignedIn()
    const asked = await json('ask', 'Delete all drafts', '--confirm')
    expect(asked).toMatchObject({ code: 5, events: [{ status: 'confirmation_required' }] })
    expect(server.done).toEqual([])
    const token = String(asked.events[0]?.token)
    expect((await json('confirm', token)).events[0]).toMatchObject({ event: 'error', code: 'answer_missing' })
    expect(await json('confirm', token, '--yes')).toMatchObject({
      code: 0,
      events: [{ status: 'completed', message: 'confirmed: Delete all drafts' }],
    })
    expect(await json('confirm', token, '--yes')).toMatchObject({ code: 1, events: [{ code: 'confirmation_used' }] })
    expect(server.done).toHaveLength(1)

    expect(await json('ask', 'Delete everything', '--confirm', '--no')).toMatchObject({ code: 4 })
    expect(await json('ask', 'Delete one', '--confirm', '--yes')).toMatchObject({ code: 0 })
    expect(server.done.map(({ prompt }) => prompt)).toEqual(['Delete all drafts', 'Delete one'])
  })

  test('answers one question, and a conversation from a pipe', async () => {
    wasSignedIn()
    expect((await run('ask', 'how', 'are', 'you?')).out).toBe('one_shot: how are you?\n')
    const chat = errand(['ask', '--chat'])
    chat.type('one\ntwo\n')
    chat.child.stdin?.end()
    expect(await chat.ended).toMatchObject({ code: 0, out: 'turn 1: one\nturn 2: two\n' })
  })

  test('escapes control characters in the text of the agent', async () => {
    wasSignedIn()
    expect((await run('ask', 'escape')).out).toBe('\\u{1b}[2Jgone\n')
  })

  test('reports a denial, an unreachable server and an unknown command with its exit code', async () => {
    const connecting = errand(['connect', 'slack', '--json'])
    await server.authorize((await opened(connecting)).url, { decision: 'deny' })
    const denied = await connecting.ended
    expect(denied.code).toBe(4)
    expect(jsonLines(denied.out).at(-1)).toMatchObject({ event: 'error', code: 'connect_denied' })
    expect(await json('connect', 'nothing-like-it')).toMatchObject({ code: 1, events: [{ code: 'unknown_service' }] })
    const away = await json('connect', 'slack', '--server', 'http://127.0.0.1:1/holdpoint')
    expect(away).toMatchObject({ code: 6, events: [{ code: 'not_reachable' }] })
    for (const wrong of [['dance'], ['connect'], ['status', 'x'], ['ask', 'x', '--yes', '--no'], ['ask', '--what']]) {
      const { code, err, out } = await run(...wrong)
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain('errand connect <service>')
    }
    expect(await run('--help')).toMatchObject({ code: 0, err: '' })
  })

  test('signs in once for five parallel calls', async () => {
    wasSignedIn()
    const all = await Promise.all(Array.from({ length: 5 }, () => run('ask', 'hello')))
    for (const { code, out } of all) expect([code, out]).toEqual([0, 'one_shot: hello\n'])
  })
})

describe('Ctrl-C in the program', () => {
  test('stores nothing in the middle of a connection, and is reported', async () => {
    const connecting = errand(['connect', 'slack'])
    await connecting.see('Waiting for Slack')
    connecting.child.kill('SIGINT')
    expect(await connecting.ended).toMatchObject({ code: 130, err: expect.stringContaining('Interrupted.') })
    expect((await run('status')).code).toBe(3)
  })

  test('is reported to the server while the agent works', async () => {
    wasSignedIn()
    const asking = errand(['ask', 'wait', '--json'])
    await expect.poll(() => server.done.length, { timeout: 30_000 }).toBe(1)
    asking.child.kill('SIGINT')
    const { code, out } = await asking.ended
    expect([code, jsonLines(out)]).toEqual([130, [{ event: 'error', code: 'interrupted', message: 'Interrupted.' }]])
    await expect.poll(() => server.done[0]?.signal?.aborted, { timeout: 30_000 }).toBe(true)
  })
})

describe.runIf(hasTerminal)('the program at a terminal', () => {
  test('opens the browser without a shell, shows how long it waits, and asks before it changes something', async () => {
    mkdirSync(browserIn())
    const opener = join(browserIn(), 'xdg-open')
    writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > '${join(home, 'opened')}'\n`)
    chmodSync(opener, 0o755)
    const connecting = errand(['connect', 'slack'], { terminal: true })
    await connecting.see('Your browser shows')
    await connecting.see(/Waiting for Slack … \d+ s/)
    await expect.poll(() => readOpened(), { timeout: 30_000 }).toMatch(/^1\nhttp:/)
    await server.authorize(readOpened().split('\n')[1] ?? '')
    expect((await connecting.ended).out).toContain('Slack is connected (ada).')

    const asking = errand(['ask', 'Delete', 'it', '--confirm'], { terminal: true })
    await asking.see('Do it? [y/N]')
    expect(server.done).toEqual([])
    asking.type('y\r')
    expect((await asking.ended).out).toContain('confirmed: Delete it')

    const other = errand(['ask', 'Delete', 'that', '--confirm'], { terminal: true })
    await other.see('Do it? [y/N]')
    other.type('\r')
    expect(await other.ended).toMatchObject({ code: 4, out: expect.stringContaining('Action cancelled by user') })
    expect(server.done).toHaveLength(1)
  })

  test('answers no question after Ctrl-C', async () => {
    wasSignedIn()
    const asking = errand(['ask', 'Delete it', '--confirm'], { terminal: true })
    await asking.see('Do it? [y/N]')
    asking.type('\u0003')
    expect(await asking.ended).toMatchObject({ code: 130 })
    expect(server.done).toEqual([])
    const chat = errand(['ask', '--chat'], { terminal: true })
    await chat.see('> ')
    chat.type('\u0003')
    expect(await chat.ended).toMatchObject({ code: 130 })
  })

  const readOpened = () => {
    try {
      return readFileSync(join(home, 'opened'), 'utf8')
    } catch {
      return ''
    }
  }
})
if (!hasTerminal) console.warn('skipped: errand at a real terminal (needs util-linux `script`)')
