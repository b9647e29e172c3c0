import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccountsClient as createClient } from '@holdpoint/core/accounts'

import { fileLock, fileTokenStore } from '@holdpoint/core/node'
import { createAccountBroker as createBroker } from '@holdpoint/server/accounts'
import { memoryStore } from '@holdpoint/server/memory'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type LocalOAuth, localOAuth, TestBrowser } from '../src/local-oauth.ts'

// The client of core against the server's broker, and the broker against a real OpenID provider.
vi.setConfig({ testTimeout: 60_000 })

const ORIGIN = 'http://localhost:4000'
const BASE = `${ORIGIN}/holdpoint`
let local: LocalOAuth
let broker: ReturnType<typeof createBroker>
let offset = 0
let folder: string
const now = () => Date.now() + offset

beforeAll(async () => {
  local = await localOAuth({ redirectUris: [`${BASE}/connections/callback`] })
})
afterAll(() => local.close())
beforeEach(() => {
  offset = 0
  folder = mkdtempSync(join(tmpdir(), 'hp-connections-'))
  broker = newBroker()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function newBroker() {
  return createBroker({
    store: memoryStore({ now }),
    now,
    providers: [local.slack, local.gmail],
    vaultKeys: [{ id: '1', key: Buffer.alloc(32, 7).toString('base64') }],
    sessionSecrets: ['s'.repeat(32)],
    baseUrl: BASE,
    development: true,
    authenticate: () => null,
    ask: async ({ prompt, mode, history }) => ({ message: `${mode}: ${prompt} (${history.length})` }),
  })
}
const requests: string[] = []
function newClient() {
  requests.length = 0
  return createClient({
    baseUrl: BASE,
    store: fileTokenStore({ folder }),
    lock: fileLock({ folder }),
    device: 'test machine',
    environment: {
      now,
      // The 3 seconds between polls pass in a tenth of the time on both sides.
      setTimeout: (callback, ms) =>
        ms === 3_000
          ? setTimeout(() => {
              offset += 2_700
              callback()
            }, 300)
          : setTimeout(callback, ms),
      fetch: (input, init) => {
        const request = new Request(input, init)
        requests.push(`${request.method} ${new URL(request.url).pathname}`)
        return broker.fetch(request)
      },
    },
  })
}
/** A person who reads the page, compares the code, and allows the connection. */
async function person(url: string, userCode: string | undefined, decision = 'allow') {
  const browser = new TestBrowser({
    local: (request) => (request.url.startsWith(ORIGIN) ? broker.fetch(request) : null),
  })
  const asks = await browser.open(url)
  expect(asks.text).toContain(userCode)
  expect(asks.text).toContain('test machine')
  return browser.submit(await browser.submit(asks), [
    ['login', 'ada'],
    ['decision', decision],
  ])
}
const signIn = (client: ReturnType<typeof newClient>) =>
  client.connect('slack', { onUrl: (url, { userCode }) => void person(url, userCode) })
const outcome = (promise: Promise<unknown>) => promise.catch((error: { code?: string }) => error.code ?? String(error))

test('a program connects, lists, asks in three modes, disconnects and logs out', async () => {
  const client = newClient()
  expect(await signIn(client)).toMatchObject({ status: 'connected', accountId: 'ada', sessionReset: false })
  expect((await client.list()).slack).toMatchObject({ connected: true })

  expect(
    await client.connect('gmail', { wait: true, onUrl: (url, { userCode }) => void person(url, userCode) }),
  ).toMatchObject({
    status: 'connected',
  })
  expect(await client.ask('Hello')).toMatchObject({ status: 'completed', message: 'one_shot: Hello (0)' })
  const asked = await client.ask('Delete all', { confirm: true })
  if (asked.status !== 'confirmation_required') throw new Error(asked.status)
  expect(await client.confirm(asked.confirmationToken, true)).toMatchObject({ status: 'completed' })
  expect(await outcome(client.confirm(asked.confirmationToken, true))).not.toMatchObject({ status: 'completed' })
  const talk = client.conversation()
  await talk.ask('One')
  expect(await talk.ask('Two')).toMatchObject({ status: 'interactive_response', message: 'interactive: Two (2)' })

  expect(await client.disconnect('slack')).toEqual({ connected: false })
  expect((await client.list()).slack).toMatchObject({ connected: false })
  await client.logout()
  expect(await outcome(client.list())).toBe('signed_out')
  expect(readdirSync(folder).filter((name) => !name.endsWith('.lock'))).toEqual(['default.json'])
  expect(readFileSync(join(folder, 'default.json'), 'utf8')).not.toMatch(/eyJ|refreshToken/)
})

test('a denial rejects with connect_denied', async () => {
  const denied = newClient().connect('slack', { onUrl: (url, { userCode }) => void person(url, userCode, 'deny') })
  expect(await outcome(denied)).toBe('connect_denied')
})

test('after half an hour and a restart the first request refreshes the token once', async () => {
  await signIn(newClient())
  offset += 31 * 60_000
  const clients = [newClient(), newClient(), newClient()]
  await Promise.all(clients.flatMap((client) => [client.list(), client.list()]))
  expect(requests.filter((request) => request.endsWith('/auth/refresh'))).toHaveLength(1)
})

test('after eight days the session has expired, and connecting continues with the same session', async () => {
  const client = newClient()
  const first = await signIn(client)
  offset += 8 * 24 * 3_600_000
  expect(await outcome(client.list())).toBe('session_lost')
  const again = await signIn(client)
  expect(again).toMatchObject({ status: 'connected', sessionId: first.sessionId, sessionReset: false })
  expect((await client.list()).slack).toMatchObject({ connected: true })
})

test('after the server lost its data the client gets an error, and connecting starts a new session', async () => {
  const client = newClient()
  const first = await signIn(client)
  broker = newBroker()
  expect(await outcome(client.list())).toMatch(/^session_(lost|reset_required)$/)
  const again = await signIn(client)
  expect(again.status).toBe('connected')
  expect(again.sessionId).not.toBe(first.sessionId)
  expect((await client.list()).slack).toMatchObject({ connected: true })
})

test('after the server lost its data a further connection also works as the first call', async () => {
  const client = newClient()
  await signIn(client)
  broker = newBroker()
  expect(await signIn(client)).toMatchObject({ status: 'connected', sessionReset: true })
  expect((await client.list()).slack).toMatchObject({ connected: true })
})
