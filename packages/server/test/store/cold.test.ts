import { createHoldpoint } from '@holdpoint/server'
import { createAccountBroker } from '@holdpoint/server/accounts'
import { createRemoteAgent } from '@holdpoint/server/remote'
import type { Store } from '@holdpoint/server/store'
import { expect, onTestFinished, test } from 'vitest'
import { systemEnvironment } from '../../src/base/environment.ts'
import { engineOf } from '../../src/http/mounted.ts'
import { createSessionTokens } from '../../src/security/session-tokens.ts'
import { createWebhookReceiver } from '../../src/webhooks/receive.ts'
import { createWebhookSender } from '../../src/webhooks/send.ts'
import { SECRET, VAULT_KEY } from '../accounts/support/world.ts'
import { openStore } from '../nodes/open-store.ts'
import { onStores } from '../nodes/places.ts'

const ADA = { userId: 'ada' }
const BASE = 'http://localhost:4000/holdpoint'

function holdpointOn(store: Store) {
  const holdpoint = createHoldpoint({ store, authenticate: () => ADA, name: crypto.randomUUID() })
  onTestFinished(() => holdpoint.close())
  return holdpoint
}
const get = (store: Store, path: string) => holdpointOn(store).fetch(new Request(`${BASE}${path}`))
const connectionsOn = (store: Store) =>
  createAccountBroker({
    store,
    providers: [],
    vaultKeys: [VAULT_KEY],
    sessionSecrets: [SECRET],
    baseUrl: BASE,
    authenticate: () => ADA,
  })
const senderOn = (store: Store) => {
  const sender = createWebhookSender({ store, vaultKeys: [VAULT_KEY], target: () => null })
  onTestFinished(() => sender.close())
  return sender
}

/** Everything that takes a store, each as the first thing that a process does with it. */
const entries: [string, (store: Store) => Promise<unknown>, unknown][] = [
  [
    'the account broker, over HTTP',
    async (store) => {
      const body = JSON.stringify({ refresh_token: 'a'.repeat(104) })
      const headers = { 'content-type': 'application/json' }
      const request = new Request(`${BASE}/auth/refresh`, { method: 'POST', headers, body })
      return (await connectionsOn(store).fetch(request)).status
    },
    401,
  ],
  ['the account broker, from code', (store) => connectionsOn(store).list(ADA), {}],
  [
    'session tokens',
    async (store) => {
      const deps = { store, environment: systemEnvironment() }
      const tokens = createSessionTokens(deps, { secrets: [SECRET], issuer: BASE, now: Date.now })
      return typeof (await tokens.issue(ADA, 's', 'family'))?.token
    },
    'string',
  ],
  ['webhooks that leave', (store) => senderOn(store).deadLetters(), { letters: [] }],
  [
    'webhooks that arrive',
    async (store) => {
      const receiver = createWebhookReceiver({ store, vaultKeys: [VAULT_KEY], url: `${BASE}/webhook` })
      return typeof (await receiver.issue({ sessionId: 's' })).secret
    },
    'string',
  ],
  [
    'the remote agent',
    async (store) => {
      const agent = createRemoteAgent({
        store,
        password: 'a-password-of-the-agent',
        vaultKeys: [VAULT_KEY],
        allowedOrigins: [],
        run: async function* () {},
      })
      onTestFinished(() => agent.close())
      return await agent.deadLetters()
    },
    { letters: [] },
  ],
  ['the inbox', async (store) => (await get(store, '/inbox')).status, 200],
  ['a snapshot', async (store) => [200, 404].includes((await get(store, '/sessions/s')).status), true],
  [
    'an event stream',
    async (store) => {
      const response = await get(store, '/sessions/s/events')
      await response.body?.cancel()
      return response.status < 500
    },
    true,
  ],
  [
    'an answer',
    async (store) => {
      const message = { type: 'cancel_run', runId: 'r' }
      const headers = { 'content-type': 'application/json', origin: 'http://localhost:4000' }
      const request = new Request(`${BASE}/sessions/s/messages`, {
        method: 'POST',
        headers,
        body: JSON.stringify(message),
      })
      return (await holdpointOn(store).fetch(request)).status < 500
    },
    true,
  ],
  [
    'an upload',
    async (store) => {
      const file = { interactionId: 'i', fieldId: 'f', name: 'n', type: 't', bytes: new Uint8Array(1) }
      return (await engineOf(holdpointOn(store)).upload(ADA, 's', file)).status
    },
    404,
  ],
  ['a session', (store) => holdpointOn(store).session('s', ADA).emit({ type: 'content', text: 'x' }), undefined],
  ['recovery', (store) => holdpointOn(store).recover(), { recovered: 0 }],
  ['remembered approvals', (store) => holdpointOn(store).approvals.list(ADA), []],
  ['tool settings', (store) => holdpointOn(store).toolSettings.list(ADA), []],
  ['erasing', (store) => holdpointOn(store).eraseUser(ADA), { sessions: 0 }],
]

await onStores('a store that was never opened [R9c.1]', ['sqlite', 'postgres', 'redis'], (world) => {
  test.each(entries)('opens for %s', async (_name, use, expected) => {
    const store = openStore(world().store)
    onTestFinished(() => store.close())
    expect(await use(store)).toEqual(expected)
  })
})
