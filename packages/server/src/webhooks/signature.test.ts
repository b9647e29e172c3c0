import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { signWebhook, verifyWebhook } from './signature.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const body = '{"text":"grüße"}'
const now = () => Date.now()

const verify = (headers: object, more: Partial<Parameters<typeof verifyWebhook>[0]> = {}) => {
  const map = new Map(Object.entries(headers) as [string, string][])
  return verifyWebhook({ header: (name) => map.get(name) ?? null, body, secrets: [SECRET], now: now(), ...more })
}

describe('Standard Webhooks', () => {
  test('the standard’s own library verifies our signatures, and the reverse', async () => {
    const headers = await signWebhook({ id: 'msg_1', now: now(), body, secrets: [SECRET] })
    expect(new Webhook(SECRET).verify(body, { ...headers })).toEqual({ text: 'grüße' })
    const at = new Date()
    const theirs = {
      'webhook-id': 'msg_2',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign('msg_2', at, body),
    }
    expect(await verify(theirs)).toMatchObject({ id: 'msg_2' })
    expect(await verify(theirs, { body: new TextEncoder().encode(body) })).toMatchObject({ id: 'msg_2' })
  })

  test('accept several signatures during a rotation, with the old and the new secret on either side', async () => {
    const headers = await signWebhook({ id: 'msg_1', now: now(), body, secrets: [OTHER, SECRET] })
    await expect(verify(headers)).resolves.toBeTruthy()
    await expect(verify(headers, { secrets: [OTHER] })).resolves.toBeTruthy()
    const old = await signWebhook({ id: 'msg_1', now: now(), body, secrets: [SECRET] })
    await expect(verify(old, { secrets: [OTHER, SECRET] })).resolves.toBeTruthy()
    await expect(verify(old, { secrets: [OTHER] })).rejects.toMatchObject({ code: 'webhook_invalid' })
  })

  test.each([
    ['another body', {}, { body: `${body} ` }],
    ['another id', { 'webhook-id': 'msg_9' }, {}],
    ['another time', { 'webhook-timestamp': '1' }, {}],
    ['no id', { 'webhook-id': '' }, {}],
    ['no time', { 'webhook-timestamp': '' }, {}],
    ['a time that is none', { 'webhook-timestamp': 'now' }, {}],
    ['no signature', { 'webhook-signature': '' }, {}],
    ['a signature of another version', { 'webhook-signature': 'v2,abc' }, {}],
    ['an empty signature', { 'webhook-signature': 'v1,' }, {}],
    ['no secret', {}, { secrets: [] }],
  ])('%s is rejected', async (_what, headers, more) => {
    const right = await signWebhook({ id: 'msg_1', now: now(), body, secrets: [SECRET] })
    await expect(verify({ ...right, ...headers }, more)).rejects.toMatchObject({ code: 'webhook_invalid' })
  })

  test('accept a timestamp that differs by five minutes at most', async () => {
    const at = (minutes: number) => signWebhook({ id: 'm', now: now() + minutes * 60_000, body, secrets: [SECRET] })
    await expect(verify(await at(-4.9))).resolves.toBeTruthy()
    await expect(verify(await at(4.9))).resolves.toBeTruthy()
    await expect(verify(await at(-5.1))).rejects.toMatchObject({ code: 'webhook_expired' })
    await expect(verify(await at(5.1))).rejects.toMatchObject({ code: 'webhook_expired' })
  })

  test('reject an old forged signature as invalid, not as expired', async () => {
    const headers = await signWebhook({ id: 'm', now: 0, body, secrets: [OTHER] })
    await expect(verify(headers)).rejects.toMatchObject({ code: 'webhook_invalid' })
  })

  test('weak secrets and ids that would make the signed text ambiguous are rejected', async () => {
    await expect(signWebhook({ id: 'm', now: 0, body, secrets: ['whsec_eA=='] })).rejects.toMatchObject({
      code: 'weak_secret',
    })
    await expect(signWebhook({ id: 'a.1', now: 0, body, secrets: [SECRET] })).rejects.toMatchObject({
      code: 'invalid_webhook',
    })
    await expect(signWebhook({ id: 'm', now: 0, body, secrets: [] })).rejects.toMatchObject({ code: 'invalid_webhook' })
  })
})
