import { expect, onTestFinished, test } from 'vitest'
import { appOf } from '../../src/http/mounted.ts'
import { serve } from './support/requests.ts'

async function world(options: Parameters<typeof serve>[0] = {}) {
  const server = serve(options)
  onTestFinished(() => appOf(server).close())
  await server.engine.create('s1', 'ada')
  return server
}

test('[HP-SEC-20] an image or script of another site loads nothing and does not count as presence [N8.1]', async () => {
  const { call, engine } = await world()
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
  for (const path of ['/sessions/s1', '/sessions/s1/events?client=c1', '/inbox', '/sessions/none']) {
    const { status, body } = await call(path, { headers })
    expect([path, status, body.error.code]).toEqual([path, 403, 'origin_not_allowed'])
  }
  expect(engine.presences).toEqual([])
  const own = await call('/sessions/s1', { headers: { 'sec-fetch-site': 'same-origin' } })
  expect([own.status, own.headers.get('cross-origin-resource-policy')]).toEqual([200, 'same-origin'])
})

test('an id with a lone surrogate is malformed, not a failure of the store [R10.4]', async () => {
  const { call } = await world()
  const message = { type: 'cancel_run', clientId: 'c1', runId: '\ud800' }
  expect(await call('/sessions/s1/messages', { json: message })).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_message', path: 'runId' } },
  })
  expect((await call('/sessions/s1/messages', { json: { ...message, runId: '😀' } })).status).toBe(200)
})

test('retryAfterMs is a whole number', async () => {
  const { call } = await world({ http: { rateLimit: { burst: 1, perSecond: 0.7 } } })
  await call('/inbox')
  const { status, body } = await call('/inbox')
  expect([status, Number.isInteger((body.error as { retryAfterMs?: number }).retryAfterMs)]).toEqual([429, true])
})
