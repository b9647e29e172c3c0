import { surfaceSuite } from '@holdpoint/conformance/surface'
import { createHoldpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { addSurfaces, type InteractionRecord, type Recipient } from '@holdpoint/server/surfaces'
import { webPushSurface } from '@holdpoint/server/web-push'
import { describe, expect, onTestFinished, test } from 'vitest'
import { encryptPush, fromBase64Url, LARGEST_PAYLOAD } from '../../src/surfaces/web-push/encrypt.ts'
import { pushWorld, vapidKeys } from './support/push-world.ts'

surfaceSuite('push through TLS to browsers that decrypt it', { make: () => pushWorld(), sendsAfterCrash: 1 })

const record = (request: object = {}, rest: object = {}) =>
  ({
    ...{
      interactionId: 'q1',
      tenant: '',
      sessionId: 'chat',
      userId: 'ada',
      toolName: 'delete_files',
      kind: 'approval',
    },
    ...{ status: 'open', expiresAt: new Date(Date.now() + 3_600_000) },
    names: { tool: 'Delete files', integrations: {} },
    request: { type: 'interaction_request', prompt: 'Delete 3 files?', risk: 'low', args: { count: 3 }, ...request },
    ...rest,
  }) as unknown as InteractionRecord
const ada: Recipient = { tenant: '', userId: 'ada', reminder: 0, deliveryId: 'q1/web-push/ada/0', repeat: false }
const links = { page: 'https://app.example.com/page', answer: async () => 'https://app.example.com/answer/TOKEN' }

/** An app whose users sign in with a cookie, with the routes of the surface. */
async function app() {
  const world = await pushWorld()
  const holdpoint = createHoldpoint({
    store: memoryStore(),
    name: crypto.randomUUID(),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    authenticate(request) {
      const userId = /user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
      return userId ? { userId } : null
    },
  })
  onTestFinished(async () => {
    await holdpoint.close()
    await world.stop?.()
  })
  const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
  addSurfaces(holdpoint, { pages, surfaces: [world.push] })
  const call = (path: string, body?: object, user = 'ada') =>
    holdpoint.fetch(
      new Request(`https://app.example.com${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: {
          ...{ host: 'app.example.com', origin: 'https://app.example.com', 'content-type': 'application/json' },
          ...(user && { cookie: `user=${user}` }),
        },
      }),
    )
  const present = (interaction = record(), recipient = ada) => world.push.present(interaction, recipient, links)
  return { ...world, holdpoint, call, present, pushed: world.service.pushed }
}

describe('the encryption of push messages', () => {
  test('returns the message of the example in RFC 8291', async () => {
    const point = fromBase64Url(
      'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
    )
    const jwk = {
      ...{ kty: 'EC', crv: 'P-256', d: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw' },
      x: Buffer.from(point.slice(1, 33)).toString('base64url'),
      y: Buffer.from(point.slice(33)).toString('base64url'),
    }
    const curve = { name: 'ECDH', namedCurve: 'P-256' }
    const pair = {
      privateKey: await crypto.subtle.importKey('jwk', jwk, curve, true, ['deriveBits']),
      publicKey: await crypto.subtle.importKey('raw', point, curve, true, []),
    }
    const keys = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const text = 'When I grow up, I want to be a watermelon'
    const sealed = await encryptPush(text, keys, { salt: fromBase64Url('DGv6ra1nlYgDCS1FRnbzlw'), pair })
    expect(Buffer.from(sealed).toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  test('accepts a message of the largest size, and a larger one is not sent', async () => {
    const { service, push, pushed } = await app()
    const keys = service.subscribe('x').keys
    const salt = crypto.getRandomValues(new Uint8Array(16))
    expect((await encryptPush('a'.repeat(LARGEST_PAYLOAD), keys, { salt })).length).toBe(4_096)
    await expect(encryptPush('a'.repeat(LARGEST_PAYLOAD + 1), keys, { salt })).rejects.toThrow('too long')
    expect([push.name, pushed]).toEqual(['web-push', []])
  })
})

describe('a push message', () => {
  test('names the kind of question and the tool, and opens the page', async () => {
    const { call, service, present, pushed } = await app()
    await call('/push', { subscription: service.subscribe('phone'), language: 'de-AT' })
    expect(await present()).toEqual({ tag: 'holdpoint-q1', url: links.page })
    expect(pushed).toMatchObject([
      {
        browser: 'phone',
        headers: { 'content-encoding': 'aes128gcm', urgency: 'high', topic: expect.stringMatching(/^[\w-]{32}$/) },
        notification: { title: 'Freigabe nötig: Delete files', lang: 'de-AT', dir: 'ltr', url: links.page },
      },
    ])
    const ttl = Number(pushed[0]?.headers.ttl)
    expect(ttl).toBeGreaterThan(3_500)
    expect(ttl).toBeLessThanOrEqual(3_600)
  })

  test.each([
    ['an approval of a low risk', record(), true],
    ['an approval without a stated risk', record({ risk: undefined }), false],
    ['an approval of a high risk', record({ risk: 'high' }), false],
    ['a diff', record({ diff: [{ path: 'a', hunks: [] }] }), false],
    ['a form', record({ inputSchema: { type: 'form', fields: [] } }, { kind: 'input' }), false],
    ['more text than a notification shows', record({ args: { text: 'a'.repeat(121) } }), false],
    ['more lines than a notification shows', record({ args: { a: 1, b: 2, c: 3 } }), false],
  ])('%s has buttons: %s', async (_name, interaction, expected) => {
    const { call, service, present, pushed } = await app()
    await call('/push', { subscription: service.subscribe('phone') })
    await present(interaction)
    expect(pushed[0]?.notification.answer !== undefined).toBe(expected)
    if (expected) expect(pushed[0]?.notification.body).toBe('Delete 3 files?\nCount: 3')
  })

  test('with a prompt of the largest size fits, whatever its characters', async () => {
    const { call, service, present, pushed } = await app()
    await call('/push', { subscription: service.subscribe('phone') })
    await present(record({ prompt: '👩‍👩‍👧‍👦'.repeat(5_000) }, { names: { tool: '👍'.repeat(64), integrations: {} } }))
    expect(pushed).toHaveLength(1)
  })

  test('is sent to every browser of the user, and a browser that ended its subscription is removed', async () => {
    const { call, service, present, pushed } = await app()
    for (const name of ['phone', 'laptop', 'old']) await call('/push', { subscription: service.subscribe(name) })
    service.unsubscribe('old')
    await present()
    expect(pushed.map(({ browser }) => browser).sort()).toEqual(['laptop', 'phone'])
    const { calls } = service
    await present()
    expect(service.calls - calls).toBe(2)
  })

  test('cannot be sent to a user without a subscribed browser', async () => {
    const { present } = await app()
    expect(await present()).toBeNull()
  })

  test('that the push service rejects because of its keys fails with an error that names the keys', async () => {
    const { call, service, present } = await app()
    await call('/push', { subscription: service.subscribe('phone') })
    service.rejectWith = 403
    await expect(present()).rejects.toThrow(/403.*VAPID/)
    service.rejectWith = 0
    expect(await present()).not.toBeNull()
  })
})

describe('push subscriptions', () => {
  test('need a login', async () => {
    const { call, service } = await app()
    const replies = [
      await call('/push', undefined, ''),
      await call('/push', { subscription: service.subscribe('phone') }, ''),
      await call('/push/remove', { endpoint: 'x' }, ''),
    ]
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401])
  })

  test('of a browser move to the user who subscribes it last, and show no questions of the first user', async () => {
    const { call, service, present, pushed } = await app()
    const subscription = service.subscribe('shared')
    await call('/push', { subscription }, 'ada')
    await call('/push', { subscription }, 'bob')
    expect(await present()).toBeNull()
    expect(await present(record(), { ...ada, userId: 'bob' })).not.toBeNull()
    expect(pushed).toHaveLength(1)
  })

  test('of one browser end without effect on those of other browsers', async () => {
    const { call, service, present, pushed } = await app()
    const subscription = service.subscribe('phone')
    await call('/push', { subscription })
    await call('/push/remove', { endpoint: subscription.endpoint }, 'bob')
    expect(await present()).not.toBeNull()
    await call('/push/remove', { endpoint: subscription.endpoint })
    expect(await present()).toBeNull()
    expect(pushed).toHaveLength(1)
  })

  test('are erased with their user', async () => {
    const { call, service, present, holdpoint } = await app()
    await call('/push', { subscription: service.subscribe('phone') })
    await holdpoint.eraseUser({ userId: 'ada' })
    expect(await present()).toBeNull()
  })

  test('are limited to 20 a user, and the oldest is removed', async () => {
    const { call, service, present, pushed } = await app()
    for (let n = 0; n < 22; n++) await call('/push', { subscription: service.subscribe(`browser-${n}`) })
    await present()
    expect(pushed).toHaveLength(20)
    expect(pushed.map(({ browser }) => browser)).toContain('browser-21')
  })

  const good = { endpoint: 'https://push.example.com/x', keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) } }
  test.each([
    ['no subscription', {}],
    ['no keys', { subscription: { endpoint: good.endpoint } }],
    ['a key of the wrong length', { subscription: { ...good, keys: { ...good.keys, p256dh: 'BAAA' } } }],
    ['a compressed key', { subscription: { ...good, keys: { ...good.keys, p256dh: `C${'A'.repeat(86)}` } } }],
    ['a key that is no base64url', { subscription: { ...good, keys: { ...good.keys, auth: '%%%' } } }],
    ['a private address', { subscription: { ...good, endpoint: 'https://10.0.0.1/x' } }],
    ['plain HTTP', { subscription: { ...good, endpoint: 'http://push.example.com/x' } }],
    ['credentials', { subscription: { ...good, endpoint: 'https://user:pass@push.example.com/x' } }],
    ['a script', { subscription: { ...good, endpoint: 'javascript:alert(1)' } }],
    ['a long address', { subscription: { ...good, endpoint: `https://push.example.com/${'x'.repeat(3_000)}` } }],
  ])('with %s are rejected', async (_name, body) => {
    const { call, present } = await app()
    expect((await call('/push', body)).status).toBeGreaterThanOrEqual(400)
    expect(await present()).toBeNull()
  })

  test('whose address leads to a private network are not called and are removed', async () => {
    const { push, service, stop } = await pushWorld({ allowLoopback: false })
    const holdpoint = createHoldpoint({ store: memoryStore(), authenticate: () => ({ userId: 'ada' }) })
    onTestFinished(async () => {
      await holdpoint.close()
      await stop?.()
    })
    const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
    addSurfaces(holdpoint, { pages, surfaces: [push] })
    const subscribe = new Request('https://app.example.com/push', {
      method: 'POST',
      body: JSON.stringify({ subscription: service.subscribe('phone') }),
      headers: { host: 'app.example.com', origin: 'https://app.example.com', 'content-type': 'application/json' },
    })
    expect((await holdpoint.fetch(subscribe)).status).toBe(200)
    expect(await push.present(record(), ada, links)).toBeNull()
    expect(service.calls).toBe(0)
  })
})

test.each([
  [{ publicKey: 'x' }, /vapid\.publicKey/],
  [{ privateKey: 'x' }, /vapid\.privateKey/],
  [{ subject: 'ops@example.com' }, /vapid\.subject/],
])('keys that cannot work are rejected when the surface is created: %j', (change, message) => {
  expect(() => webPushSurface({ vapid: { ...vapidKeys(), ...change } })).toThrowError(message)
})
