import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allow, connectAs, connectCli, createHarness, type Harness, pollCli, signInCli } from './support/harness.ts'
import { minutes, SECRET, VAULT_KEY } from './support/world.ts'

let harness: Harness
/** Everything that would be of use to a thief, as it was seen on its way. */
const secrets = new Map<string, string>()
/** Everything that was answered to browsers and programs, without the two answers whose purpose tokens are. */
const answered: string[] = []
const errors: unknown[] = []

beforeAll(async () => {
  harness = await createHarness({}, { accessTokenSeconds: 600 })
  await connectAs(harness, 'ada')
  const ada = { userId: 'ada' }
  secrets.set('access token', await harness.broker.token(ada, 'slack'))
  harness.world.advance(minutes(11))
  secrets.set('renewed access token', await harness.broker.token(ada, 'slack'))

  const started = await connectCli(harness)
  const browser = harness.browser()
  const page = await browser.open(started.authorization_url)
  const end = await allow(browser, await browser.submit(page), 'bob')
  const callback = new URL(browser.history.find((url) => url.includes('/callback/slack?')) ?? '')
  secrets.set('authorization code', callback.searchParams.get('code') ?? '')
  secrets.set('poll secret', started.poll_secret)
  const { body } = await pollCli(harness, started)
  secrets.set('session token', body.token)
  secrets.set('refresh token', body.refresh_token)
  answered.push(page.text, end.text, `${end.url}`, inspect([...end.headers]))

  const { status, started: other } = await signInCli(harness, 'cleo')
  const { body: rotated } = await harness.call<{ refresh_token: string }>('/auth/refresh', {
    body: { refresh_token: status.refresh_token },
  })
  secrets.set('rotated refresh token', rotated.refresh_token)
  const list = await harness.call('/connections', { bearer: body.token })
  answered.push(inspect(list, { depth: 9 }))
  secrets.set('session id', other.session_id)

  harness.local.failTokens(3, 500)
  harness.world.advance(minutes(11))
  errors.push(await harness.broker.token(ada, 'slack').catch((error: unknown) => error))
  await harness.local.revokeAll()
  harness.local.failTokens(0)
  harness.world.advance(minutes(1))
  errors.push(await harness.broker.token(ada, 'slack').catch((error: unknown) => error))
  secrets.set('vault key', Buffer.from(VAULT_KEY.key).toString('base64'))
  secrets.set('signing secret', SECRET)
  secrets.set('client secret', harness.local.slack.clientSecret ?? '')
})
afterAll(() => harness.close())

const found = (text: string) => [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name)

describe('threats 19 and 20: the search for secrets', () => {
  test('detects secrets: all eleven were recorded, and each is long enough to search for', () => {
    expect(secrets.size).toBe(11)
    for (const [name, secret] of secrets) expect(secret.length, name).toBeGreaterThanOrEqual(20)
    expect(found(`x${secrets.get('refresh token')}x`)).toEqual(['refresh token'])
    expect(harness.world.dump().length).toBeGreaterThan(10_000)
    expect(harness.said.length).toBeGreaterThan(5)
    expect(errors).toMatchObject([{ code: 'accounts_unavailable' }, { code: 'account_expired' }])
  })

  test('threat 20: finds none in any row that the store ever held, nor in its base64 [T20.1]', () => {
    expect(found(harness.world.dump())).toEqual([])
    const decoded = [...harness.world.dump().matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)].map(([text]) =>
      Buffer.from(text, 'base64').toString('latin1'),
    )
    expect(found(decoded.join('\n'))).toEqual([])
  })

  test('threat 20: finds no name and no address of the user at the service in the store', () => {
    expect(harness.world.dump()).not.toContain('@example.com')
  })

  test('threat 19: finds none in any log line or event [T19.2]', () => {
    expect(found(harness.said.join('\n'))).toEqual([])
  })

  test('broker 7: finds none in any error, by message, inspect, JSON or cause [B7.3]', () => {
    for (const error of errors) {
      expect(found(inspect(error, { depth: 20, showHidden: true }))).toEqual([])
      expect(found(JSON.stringify(error))).toEqual([])
      expect(error).toBeInstanceOf(Error)
      expect((error as Error).cause).toBeUndefined()
    }
  })

  test('broker 7: finds none in any page, address, header or list [B7.4]', () => {
    expect(found(answered.join('\n'))).toEqual([])
  })

  test('broker 7: finds none by inspect or toJSON of the broker', () => {
    expect(found(inspect(harness.broker, { depth: 20, showHidden: true }))).toEqual([])
    expect(found(JSON.stringify(harness.broker))).toEqual([])
  })

  test('threat 20: a row that was copied to another user cannot be decrypted [T20.2]', async () => {
    const { accountRef, ACCOUNT, userPartition } = await import('../../src/security/keys.ts')
    await connectAs(harness, 'dora')
    const [row] = await harness.world.store.list(userPartition({ userId: 'dora' }), ACCOUNT)
    if (!row) throw new Error('no row')
    const thief = accountRef({ userId: 'eve' }, row.id)
    await harness.world.store.commit({
      partition: thief.partition,
      puts: [{ kind: ACCOUNT, id: row.id, data: row.data }],
    })
    await expect(harness.broker.token({ userId: 'eve' }, 'slack')).rejects.toMatchObject({
      code: 'vault_mismatch',
    })
  })

  test('threat 20: finds none after a user is erased, and retention removes expired flows [T20.4]', async () => {
    const { userPartition } = await import('../../src/security/keys.ts')
    const { status } = await signInCli(harness, 'erik')
    const erik = { userId: 'slack:erik' }
    await harness.broker.eraseUser(erik)
    expect(await harness.world.store.list(userPartition(erik), 'conn_account')).toEqual([])
    expect(await harness.call('/connections', { bearer: status.token })).toMatchObject({ status: 401 })
    harness.world.advance(minutes(60 * 24 * 31))
    expect(await harness.broker.sweep()).toBeGreaterThan(3)
    expect(await harness.broker.sweep()).toBe(0)
  })
})
