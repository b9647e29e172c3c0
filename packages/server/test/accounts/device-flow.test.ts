import { afterAll, beforeAll, expect, test } from 'vitest'
import { allow, connectCli, createHarness, deny, type Harness, pollCli } from './support/harness.ts'
import { seconds } from './support/world.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const asked = () => harness.local.grants[DEVICE] ?? 0

/** The person's side, at the service's own pages: the code, then yes. */
async function typeCode(url: string, decide: typeof allow | typeof deny) {
  const browser = harness.browser()
  let page = await browser.open(url)
  if (!page.text.includes('decision')) page = await browser.submit(page, { confirm: 'yes' })
  return decide(browser, page)
}

test('a device flow ends with tokens after the user entered the code on the service’s page', async () => {
  const started = await connectCli(harness, 'slack', { flow: 'device' })
  expect(started.authorization_url.startsWith(harness.local.url)).toBe(true)
  expect(started.user_code).toMatch(/^[A-Z0-9-]{6,}$/)
  expect((await pollCli(harness, started)).body.status).toBe('pending')
  await typeCode(started.authorization_url, allow)
  harness.world.advance(seconds(started.interval))
  expect((await pollCli(harness, started)).body).toMatchObject({
    status: 'completed',
    account_id: 'ada',
    token: expect.any(String),
  })
})

test('broker 6: the service is polled no more often than it allows, with any number of clients and nodes', async () => {
  const started = await connectCli(harness, 'slack', { flow: 'device' })
  const nodes = [harness.broker, harness.node(), harness.node()]
  const before = asked()
  const poll = (on: (typeof nodes)[number]) =>
    harness.call(`/auth/status/${started.state}`, { bearer: started.poll_secret, on })
  await Promise.all(Array.from({ length: 12 }, (_, i) => poll(nodes[i % 3] ?? harness.broker)))
  expect(asked() - before).toBe(1)
})

test('broker 6: polling of the service stops after a denial [B6.2]', async () => {
  const started = await connectCli(harness, 'slack', { flow: 'device' })
  await typeCode(started.authorization_url, deny)
  expect((await pollCli(harness, started)).body).toMatchObject({ status: 'denied', error: 'access_denied' })
  const before = asked()
  await pollCli(harness, started)
  expect(asked()).toBe(before)
})

test('the status of a device flow needs the poll secret', async () => {
  const started = await connectCli(harness, 'slack', { flow: 'device' })
  await typeCode(started.authorization_url, allow)
  const answered = await harness.call(`/auth/status/${started.state}`)
  expect(answered).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } })
})

test('a device flow has no page of Holdpoint, and a service without a device flow is reported', async () => {
  const started = await connectCli(harness, 'slack', { flow: 'device' })
  const page = await harness
    .browser()
    .open(`http://localhost:4000/holdpoint/connections/authorize?state=${started.state}`)
  expect(page.status).toBe(400)
  const { deviceEndpoint: _none, ...plain } = harness.local.gmail
  const node = harness.node({ providers: [plain] })
  const refused = await harness.call('/connections/connect?service=gmail', { body: { flow: 'device' }, on: node })
  expect(refused).toMatchObject({ status: 400, body: { code: 'DEVICE_FLOW_UNSUPPORTED' } })
})
