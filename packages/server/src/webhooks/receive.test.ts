import { inspect } from 'node:util'
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { createWorld, days, minutes, seconds, VAULT_KEY, type World } from '../../test/accounts/support/world.ts'
import { createWebhookReceiver, type Webhook, type WebhookCredentials, type WebhookReceiver } from './receive.ts'
import { signWebhook } from './signature.ts'

let world: World
let receiver: WebhookReceiver
let seen: Webhook[]
const session = { sessionId: 'task-42', tenant: 'acme' }
const make = () => createWebhookReceiver({ ...world, vaultKeys: [VAULT_KEY], url: 'https://app.example/webhook' })

beforeEach(() => {
  world = createWorld()
  receiver = make()
  seen = []
})

interface Sent {
  id?: string
  payload?: unknown
  body?: string
  token?: string | null
  secret?: string
  sentAt?: number
}
const send = async (credentials: WebhookCredentials, sent: Sent = {}, on = receiver) => {
  const { id = 'msg_1', payload = { type: 'text' }, token = credentials.token, secret = credentials.secret } = sent
  const body = sent.body ?? JSON.stringify(payload)
  const headers = new Headers({
    ...(await signWebhook({ id, now: sent.sentAt ?? world.now(), body, secrets: [secret] })),
  })
  return on.receive({ token, header: (name) => headers.get(name), body }, (webhook) => seen.push(webhook))
}

describe('a webhook', () => {
  test('with token and signature is passed to the handler with its session', async () => {
    const credentials = await receiver.issue(session)
    expect(new URL(credentials.url).searchParams.get('token')).toBe(credentials.token)
    expect(await send(credentials)).toEqual({ status: 'handled' })
    expect(seen).toEqual([{ id: 'msg_1', session, payload: { type: 'text' } }])
  })

  test('has a token that is valid for ten minutes [J3.2]', async () => {
    const credentials = await receiver.issue(session)
    const { exp, iat } = decodeJwt(credentials.token)
    expect(Number(exp) - Number(iat)).toBe(600)
    world.advance(minutes(10) + seconds(31))
    await expect(send(credentials)).rejects.toMatchObject({
      code: 'webhook_token_invalid',
      details: { httpStatus: 401 },
    })
    expect(await send(await receiver.issue(session))).toEqual({ status: 'handled' })
  })

  test('has one secret for a session on every node, and another for any other session', async () => {
    const [a, b] = [await receiver.issue(session), await make().issue(session)]
    expect(a.secret).toBe(b.secret)
    expect((await receiver.issue({ sessionId: 'task-42' })).secret).not.toBe(a.secret)
    const made = await Promise.all(Array.from({ length: 20 }, () => receiver.issue({ sessionId: 'new' })))
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(1)
  })
})

describe('threat 23: a webhook that is sent again', () => {
  test('with the same id is accepted once, on every node, for at least ten minutes [T23.1]', async () => {
    const credentials = await receiver.issue(session)
    await send(credentials)
    expect(await send(credentials)).toEqual({ status: 'duplicate' })
    expect(await send(credentials, {}, make())).toEqual({ status: 'duplicate' })
    world.advance(minutes(9))
    await receiver.sweep()
    expect(await send(await receiver.issue(session))).toEqual({ status: 'duplicate' })
    expect(seen).toHaveLength(1)
  })

  test('threat 23: 50 times at once is handled once [T23.2]', async () => {
    const credentials = await receiver.issue(session)
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => send(credentials)))
    expect(results.filter((result) => result.status === 'fulfilled' && result.value.status === 'handled')).toHaveLength(
      1,
    )
    expect(seen).toHaveLength(1)
  })

  test('threat 23: as a captured request is rejected later as too old', async () => {
    const credentials = await receiver.issue(session)
    const sentAt = world.now()
    world.advance(minutes(5) + seconds(1))
    await expect(send(credentials, { sentAt })).rejects.toMatchObject({ code: 'webhook_signature_invalid' })
  })

  test('with an id of another session is a separate webhook', async () => {
    await send(await receiver.issue(session))
    expect(await send(await receiver.issue({ sessionId: 'task-43' }))).toEqual({ status: 'handled' })
  })

  test('after its handler failed or its process died is handled', async () => {
    const credentials = await receiver.issue(session)
    const body = '{}'
    const signed = async () =>
      new Headers({ ...(await signWebhook({ id: 'm', now: world.now(), body, secrets: [credentials.secret] })) })
    const receive = async (handle: () => unknown, token = credentials.token) => {
      const headers = await signed()
      return receiver.receive({ token, header: (name) => headers.get(name), body }, handle)
    }
    await expect(receive(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full')
    void receive(() => new Promise(() => {})).catch(() => {})
    await new Promise((done) => setTimeout(done, 20))
    await expect(receive(() => {})).rejects.toMatchObject({ code: 'webhook_busy', details: { httpStatus: 409 } })
    world.advance(seconds(61))
    expect(await receive(() => {})).toEqual({ status: 'handled' })
  })
})

describe('a rejected webhook', () => {
  const forge = (claims: Record<string, unknown>, alg = 'HS256', secret: string | Uint8Array = 'x'.repeat(64)) =>
    new SignJWT({
      sub: 'task-42',
      tenant: 'acme',
      iss: 'https://app.example/webhook',
      aud: 'https://app.example/webhook',
      jti: 'x',
      iat: Math.floor(world.now() / 1000),
      exp: Math.floor(world.now() / 1000) + 600,
      ...claims,
    })
      .setProtectedHeader({ alg, typ: 'holdpoint-webhook+jwt' })
      .sign(typeof secret === 'string' ? new TextEncoder().encode(secret) : secret)

  test('has status 400 without a valid token, 404 for an unknown session, and 401 for a forged token', async () => {
    const credentials = await receiver.issue(session)
    const cases: [string | null, number][] = [
      [null, 400],
      ['nonsense', 400],
      [await forge({ sub: 'unknown' }), 404],
      [await forge({}), 401],
      [await forge({}, 'HS512'), 401],
      [new UnsecuredJWT(decodeJwt(credentials.token)).encode(), 401],
      [(await receiver.issue({ sessionId: 'task-43' })).token, 401],
    ]
    for (const [token, httpStatus] of cases)
      await expect(send(credentials, { token })).rejects.toMatchObject({ details: { httpStatus } })
    expect(seen).toEqual([])
  })

  test.each([
    { sub: { a: 1 } },
    { sub: ['task-42'] },
    { sub: 7 },
    { sub: '' },
    { sub: 'x'.repeat(300) },
    { sub: 'a\u0000' },
  ])('a token whose session is %j is rejected with 400, signed or not', async (claims) => {
    const credentials = await receiver.issue(session)
    const tokens = [
      await forge(claims),
      new UnsecuredJWT({ ...decodeJwt(credentials.token), ...(claims as object) }).encode(),
    ]
    for (const token of tokens) {
      const expected = { code: 'webhook_token_invalid', details: { httpStatus: 400 } }
      await expect(send(credentials, { token })).rejects.toMatchObject(expected)
      const plain = receiver.receive({ token, header: () => null, body: '{}' }, () => {})
      await expect(plain).rejects.toMatchObject(expected)
    }
  })

  test('a token without a session is rejected with 400', async () => {
    const credentials = await receiver.issue(session)
    const { sub: _sub, ...claims } = decodeJwt(credentials.token)
    await expect(send(credentials, { token: new UnsecuredJWT(claims).encode() })).rejects.toMatchObject({
      code: 'webhook_token_invalid',
      details: { httpStatus: 400 },
    })
  })

  test('cannot have a token that is made with the signing secret, so that a sender cannot create sessions', async () => {
    const credentials = await receiver.issue(session)
    for (const secret of [credentials.secret, Buffer.from(credentials.secret.slice(6), 'base64')]) {
      await expect(send(credentials, { token: await forge({}, 'HS256', secret) })).rejects.toMatchObject({
        code: 'webhook_token_invalid',
      })
    }
  })

  test('is one with a valid token and a wrong signature, or a wrong token and a valid signature [J3.1]', async () => {
    const credentials = await receiver.issue(session)
    const other = await receiver.issue({ sessionId: 'task-43' })
    await expect(send(credentials, { secret: other.secret })).rejects.toMatchObject({
      code: 'webhook_signature_invalid',
    })
    await expect(send({ ...other, secret: credentials.secret })).rejects.toMatchObject({
      code: 'webhook_signature_invalid',
    })
  })

  test('has status 413 if it is too large, and 400 without valid JSON or with forbidden keys', async () => {
    const credentials = await receiver.issue(session)
    await expect(send(credentials, { body: 'x'.repeat(300_000) })).rejects.toMatchObject({
      details: { httpStatus: 413 },
    })
    await expect(send(credentials, { body: '{' })).rejects.toMatchObject({ details: { httpStatus: 400 } })
    await expect(send(credentials, { body: '{"__proto__":1}' })).rejects.toMatchObject({ details: { httpStatus: 400 } })
  })
})

describe('the secrets of webhooks', () => {
  test('are rotated: the old secret and token work for ten minutes, then only the new ones [J3.3]', async () => {
    const old = await receiver.issue(session)
    const fresh = await receiver.rotate(session)
    expect(fresh.secret).not.toBe(old.secret)
    expect(await send(old, { id: 'a' })).toEqual({ status: 'handled' })
    expect(await send(fresh, { id: 'b' })).toEqual({ status: 'handled' })
    world.advance(minutes(10))
    const later = await receiver.issue(session)
    await expect(send(later, { id: 'c', secret: old.secret })).rejects.toMatchObject({
      code: 'webhook_signature_invalid',
    })
    expect(await send(later, { id: 'd' })).toEqual({ status: 'handled' })
  })

  test('threats 19 and 20: are in no store, error or inspection', async () => {
    const credentials = await receiver.issue(session)
    await send(credentials)
    const error = await send(credentials, { secret: (await receiver.issue({ sessionId: 'x' })).secret }).catch(
      (reason: unknown) => reason,
    )
    const everything =
      world.dump() + inspect(error, { depth: 9, showHidden: true }) + inspect(receiver, { depth: 9, showHidden: true })
    for (const secret of [credentials.token, credentials.secret, credentials.secret.slice(6)])
      expect(everything).not.toContain(secret)
  })

  test('are unknown after their session was forgotten, and ids are removed after a day', async () => {
    const credentials = await receiver.issue(session)
    await send(credentials)
    world.advance(days(1))
    expect(await receiver.sweep()).toBe(1)
    expect(await receiver.sweep()).toBe(0)
    await receiver.forget(session)
    await expect(send(await receiver.issue({ sessionId: 'y' }), { token: credentials.token })).rejects.toMatchObject({
      details: { httpStatus: 404 },
    })
  })
})
