import type { OAuthProvider } from '@holdpoint/server/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allow, BASE, type CallOptions, connectCli, createHarness, type Harness, pollCli } from './support/harness.ts'

let harness: Harness
let shared: OAuthProvider
beforeAll(async () => {
  harness = await createHarness()
  // One account for a whole company, as Slack's workspaces and HubSpot's portals are.
  shared = { ...harness.local.slack, profile: { from: 'id_token', accountId: 'iss', personId: 'sub' } }
})
afterAll(() => harness.close())

const whoHas = (token: string, on = harness.broker) =>
  on.authenticate(new Request(BASE, { headers: { authorization: `Bearer ${token}` } }))

/** Signs in on a node with its own idea of who people are. */
async function signIn(on: CallOptions['on'], login: string, body: object = {}) {
  const node = on ?? harness.broker
  const { body: started } = await harness.call<Awaited<ReturnType<typeof connectCli>>>(
    '/connections/connect?service=slack',
    { body, on: node },
  )
  const browser = harness.browser(undefined, node)
  await allow(browser, await browser.submit(await browser.open(started.authorization_url)), login)
  const { body: status } = await harness.call<Awaited<ReturnType<typeof pollCli>>['body']>(
    `/auth/status/${started.state}`,
    {
      bearer: started.poll_secret,
      on: node,
    },
  )
  return { started, status }
}

describe('identification of the user', () => {
  test('two people with one shared account at the service are two users', async () => {
    const on = harness.node({ providers: [shared] })
    const [ada, bob] = [await signIn(on, 'ada'), await signIn(on, 'bob')]
    expect(ada.status.account_id).toBe(bob.status.account_id)
    const users = [await whoHas(ada.status.token, on), await whoHas(bob.status.token, on)]
    expect(users[0]?.userId).toContain(':ada')
    expect(users[1]?.userId).toContain(':bob')
  })

  test('a service that does not identify users cannot be used to sign in', async () => {
    const on = harness.node({
      providers: [{ ...shared, profile: { from: 'id_token', accountId: 'iss', personId: null } }],
    })
    expect((await signIn(on, 'ada')).status).toMatchObject({ status: 'failed', error: 'cannot_sign_in' })
  })

  test('the host decides which user it is, or rejects the sign-in', async () => {
    const on = harness.node({
      identify: ({ user }) => (user.email === 'cleo@example.com' ? { userId: 'u7', tenant: 't' } : null),
    })
    const cleo = await signIn(on, 'cleo')
    expect(await whoHas(cleo.status.token, on)).toEqual({ userId: 'u7', tenant: 't' })
    expect((await signIn(on, 'dan')).status).toMatchObject({ status: 'failed', error: 'not_known' })
  })

  test('a session keeps its user: a second user who finishes a flow of it receives nothing of the first', async () => {
    const first = await connectCli(harness)
    const second = await connectCli(harness, 'slack', { session_id: first.session_id })
    expect(second.session_id).toBe(first.session_id)
    for (const [started, login] of [
      [first, 'erin'],
      [second, 'mallory'],
    ] as const) {
      const browser = harness.browser()
      await allow(browser, await browser.submit(await browser.open(started.authorization_url)), login)
    }
    expect(await whoHas((await pollCli(harness, second)).body.token)).toEqual({ userId: 'slack:mallory' })
    const legacy = harness.node({ legacySessionIds: true })
    const { body } = await harness.call(`/connections?session_id=${first.session_id}`, { on: legacy })
    expect(body).toMatchObject({ connections: { slack: { user: { account_id: 'erin' } } } })
  })
})
