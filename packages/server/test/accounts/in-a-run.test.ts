import { type AccountProvider, createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { accountsFromFunctions } from '@holdpoint/server/accounts'
import { memoryStore } from '@holdpoint/server/memory'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { allow, createHarness, type Harness } from './support/harness.ts'

let harness: Harness
const open: Holdpoint[] = []
beforeAll(async () => {
  harness = await createHarness()
})
afterAll(async () => {
  for (const one of open) await one.close()
  await harness.close()
})

const ada = { userId: 'ada' }

function makeHoldpoint(): Holdpoint {
  const holdpoint = createHoldpoint({
    store: harness.world.store,
    accounts: harness.broker,
    http: { routes: harness.broker.routes },
    authenticate: () => ada,
  })
  open.push(holdpoint)
  return holdpoint
}

test('a tool that lacks two accounts asks for both, the person connects them, and the same call continues', async () => {
  const holdpoint = makeHoldpoint()
  const session = holdpoint.session('task-1', ada)
  const ctx = session.toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'post' })
  const done = ctx
    .connect({ integrations: ['slack', 'gmail'], reason: 'to post the summary' })
    .then(async ({ slack }) => {
      const headers = { authorization: `Bearer ${await slack.token()}` }
      return fetch(`${harness.local.url}/api/chat.postMessage`, {
        method: 'POST',
        headers,
        body: '{"channel":"c","text":"hi"}',
      })
    })

  const call = async (path: string, body?: object) => {
    const request = new Request(`http://localhost/holdpoint${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { origin: 'http://localhost', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await holdpoint.fetch(request)).json() as Promise<Record<string, unknown>>
  }
  const waiting = async () => {
    const { interactions } = (await call('/sessions/task-1')) as {
      interactions?: { interactionId: string; events?: unknown }[]
    }
    return interactions?.[0]
  }
  await expect.poll(waiting).toBeTruthy()
  const found = JSON.stringify(await call('/sessions/task-1'))
  const interactionId = /"interactionId":"([^"]+)"/.exec(found)?.[1] ?? ''
  for (const integration of ['slack', 'gmail']) {
    const started = await call('/sessions/task-1/connect', { interactionId, integration, returnTo: '/chat/1' })
    const browser = harness.browser('ada')
    const consent = await browser.open(String(started.url))
    await allow(browser, consent, 'ada')
    expect(browser.history.at(-1)).toContain(
      `auth_complete=${integration}&generation_id=run-1&flow_id=${started.flowId}`,
    )
  }
  expect((await done).status).toBe(200)
  expect(harness.local.messages).toEqual([{ account: 'ada', channel: 'c', text: 'hi' }])

  const token = await harness.broker.token(ada, 'slack')
  expect(harness.world.dump()).not.toContain(token)
})

test('the broker’s endpoints work below Holdpoint’s own mount point', async () => {
  const holdpoint = makeHoldpoint()
  const post = (path: string, init: RequestInit) =>
    holdpoint.fetch(new Request(`http://localhost:4000/holdpoint${path}`, { method: 'POST', ...init }))
  const json = { 'content-type': 'application/json' }
  const connected = await post('/connections/connect?service=slack', { headers: json, body: '{}' })
  const started = (await connected.json()) as { authorization_url: string; state: string; poll_secret: string }
  expect(connected.status).toBe(200)

  const page = await holdpoint.fetch(new Request(started.authorization_url))
  expect(page.headers.get('content-type')).toContain('text/html')
  const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:4000', cookie }
  const clicked = await post('/connections/authorize', { headers: form, body: `state=${started.state}` })
  expect(clicked.headers.get('location')).toContain(`${harness.local.url}/auth?`)
  const status = await holdpoint.fetch(
    new Request(`http://localhost/holdpoint/auth/status/${started.state}`, {
      headers: { authorization: `Bearer ${started.poll_secret}` },
    }),
  )
  expect(await status.json()).toMatchObject({ status: 'pending' })
  expect((await post('/auth/refresh', { headers: json, body: '{"refresh_token":"x"}' })).status).toBe(401)
  expect(
    (
      await post('/connections/connect?service=slack', {
        headers: { ...json, origin: 'https://evil.example' },
        body: '{}',
      })
    ).status,
  ).toBe(403)
})

describe('a provider that reports changes', () => {
  const listening = () => {
    const listeners = new Set<unknown>()
    const accounts = accountsFromFunctions({
      status: () => ({ state: 'missing' }),
      start: () => ({ url: 'https://accounts.example/' }),
      token: () => 'none',
      changes(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    })
    return { accounts, listeners }
  }

  test('has a subscriber until Holdpoint is closed', async () => {
    const { accounts, listeners } = listening()
    const holdpoint = createHoldpoint({ store: memoryStore(), accounts })
    expect(listeners.size).toBe(1)
    await holdpoint.close()
    expect(listeners.size).toBe(0)
  })

  test('has one subscriber after any hot reload', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    const [one, other] = [listening(), listening()]
    const create = (accounts: AccountProvider) => createHoldpoint({ store: memoryStore(), name: 'feed', accounts })
    const holdpoint = create(one.accounts)
    create(one.accounts)
    expect(one.listeners.size).toBe(1)
    create(other.accounts)
    expect([one.listeners.size, other.listeners.size]).toEqual([0, 1])
    await holdpoint.close()
    vi.unstubAllEnvs()
  })
})
