import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../http/support/servers.ts'
import { allow, createHarness, type Harness } from './support/harness.ts'

let harness: Harness
let holdpoint: Holdpoint
/** The app's settings page, on an origin of its own. */
let settings: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  harness = await createHarness()
  settings = await listen((_request, response) => response.end('Settings'))
  holdpoint = createHoldpoint({
    store: harness.world.store,
    accounts: harness.broker,
    http: { routes: harness.broker.routes },
    security: { allowedOrigins: [new URL(settings.url).origin] },
    authenticate: (request) => {
      const userId = request.headers.get('x-user')
      return userId ? { userId } : null
    },
  })
  await connect('slack')
})
afterAll(async () => {
  await settings.stop()
  await holdpoint.close()
  await harness.close()
})

/** Ada connects an account in a browser, as a card lets her. */
async function connect(integration: string): Promise<void> {
  const started = await harness.broker.start({ userId: 'ada' }, integration, { flowId: `flow-${integration}` })
  const browser = harness.browser('ada')
  await allow(browser, await browser.open('url' in started ? started.url : ''), 'ada')
}

async function call(user: string | null, path: string, body?: object, origin = 'http://localhost') {
  const response = await holdpoint.fetch(
    new Request(`http://localhost/holdpoint${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { origin, 'content-type': 'application/json', ...(user && { 'x-user': user }) },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  return { status: response.status, body: await response.json() }
}

const connectedOf = async (user: string) => (await call(user, '/accounts')).body.accounts.slack.connected

test('a settings page reads and disconnects the accounts of the user who is signed in to the app', async () => {
  expect(await connectedOf('ada')).toBe(true)
  expect(await connectedOf('eve')).toBe(false)
  expect(JSON.stringify((await call('ada', '/accounts')).body)).not.toMatch(/token|sealed/i)
  const ended = await call('ada', '/accounts/disconnect', { integration: 'slack' })
  expect(ended).toEqual({ status: 200, body: { status: 'accepted', disconnected: 1 } })
  expect(await connectedOf('ada')).toBe(false)
})

test('a request without a login, of another user or of another origin reads and disconnects no account', async () => {
  await connect('slack')
  expect((await call(null, '/accounts')).status).toBe(401)
  expect((await call(null, '/accounts/disconnect', { integration: 'slack' })).status).toBe(401)
  expect((await call('eve', '/accounts/disconnect', { integration: 'slack' })).body).toMatchObject({ disconnected: 0 })
  const foreign = await call('ada', '/accounts/disconnect', { integration: 'slack' }, 'https://evil.example')
  expect(foreign.status).toBe(403)
  expect(await connectedOf('ada')).toBe(true)
})

test.each([{}, { integration: 'nothing' }, { integration: 'slack', more: 1 }, { integration: 7 }])(
  'a request that names no service is refused, and nothing is disconnected: %j',
  async (body) => {
    const refused = await call('ada', '/accounts/disconnect', body)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_message'])
    // The user of a settings page knows no option of the server.
    expect(refused.body.error.message).not.toContain('create')
    expect(await connectedOf('ada')).toBe(true)
  },
)

test('a user connects an account on the settings page and returns to it with the result', async () => {
  await call('ada', '/accounts/disconnect', { integration: 'slack' })
  const started = await call('ada', '/accounts/connect', {
    integration: 'slack',
    returnTo: `${settings.url}/settings`,
  })
  expect(started).toEqual({ status: 200, body: { url: expect.stringMatching(/\/connections\/authorize\?state=/) } })
  const browser = harness.browser('ada')
  const returned = await allow(browser, await browser.open(started.body.url), 'ada')
  const address = new URL(returned.url)
  expect(address.origin + address.pathname).toBe(`${settings.url}/settings`)
  expect(address.searchParams.get('auth_complete')).toBe('slack')
  expect(address.searchParams.has('generation_id')).toBe(false)
  expect(await connectedOf('ada')).toBe(true)
})

test('an account started by one user is not connected for another one', async () => {
  await call('ada', '/accounts/disconnect', { integration: 'slack' })
  const { body } = await call('eve', '/accounts/connect', { integration: 'slack' })
  const browser = harness.browser('ada')
  await browser.open(body.url)
  expect(await connectedOf('ada')).toBe(false)
  expect(await connectedOf('eve')).toBe(false)
})

test.each([
  [null, { integration: 'slack' }, 'http://localhost', 401, 'not_authenticated'],
  ['ada', { integration: 'slack' }, 'https://evil.example', 403, 'origin_not_allowed'],
  ['ada', { integration: 'nothing' }, 'http://localhost', 400, 'invalid_message'],
  ['ada', { integration: 'slack', more: 1 }, 'http://localhost', 400, 'invalid_message'],
  ['ada', { integration: 'slack', returnTo: 'https://evil.example/' }, 'http://localhost', 400, 'return_not_allowed'],
  ['ada', { integration: 'slack', returnTo: '//evil.example/' }, 'http://localhost', 400, 'return_not_allowed'],
])('no flow is started for %s with %j from %s', async (user, body, origin, status, code) => {
  const refused = await call(user, '/accounts/connect', body, origin)
  expect([refused.status, refused.body.error.code]).toEqual([status, code])
})
