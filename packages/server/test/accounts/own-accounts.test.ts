import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allow, createHarness, type Harness } from './support/harness.ts'

let harness: Harness
let holdpoint: Holdpoint
beforeAll(async () => {
  harness = await createHarness()
  holdpoint = createHoldpoint({
    store: harness.world.store,
    accounts: harness.broker,
    http: { routes: harness.broker.routes },
    authenticate: (request) => {
      const userId = request.headers.get('x-user')
      return userId ? { userId } : null
    },
  })
  await connect('slack')
})
afterAll(async () => {
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
