import { HoldpointError } from '@holdpoint/core'
import { describe, expect, test } from 'vitest'
import { appOf } from '../../src/http/mounted.ts'
import { FakeClock } from './support/fake-clock.ts'
import { makeRequest, serve } from './support/requests.ts'

const answer = {
  type: 'tool_interaction_response',
  clientId: 'c1',
  callId: 'call-1',
  interactionId: 'i1',
  answerId: 'a1',
  action: 'approve',
  shownDigest: 'x',
}

describe('routes', () => {
  test('the routes work below any mount point, with every valid id', async () => {
    const { fetch, engine } = serve()
    await engine.create('a/b ?ü', 'ada')
    await engine.create('sessions', 'ada')
    const get = (path: string) =>
      fetch(new Request(`https://app.example${path}`, { headers: { 'x-user': 'ada' } })).then((r) => r.status)
    const id = encodeURIComponent('a/b ?ü')
    for (const mount of ['', '/holdpoint', '/api/v1/hp', '/sessions', '/sessions/x']) {
      expect(await get(`${mount}/sessions/${id}`)).toBe(200)
      expect(await get(`${mount}/sessions/sessions`)).toBe(200)
      if (mount !== '/sessions') expect(await get(`${mount}/inbox`)).toBe(200)
    }
  })

  test('[HP-HTTP-1] an unknown route and an unknown method have their own error codes', async () => {
    const { call } = serve()
    const unknown = await call('/nothing/here')
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found'])
    const wrong = await call('/sessions/s1/messages')
    expect([wrong.status, wrong.body.error.code, wrong.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'POST',
    ])
    const put = await call('/sessions/s1', { method: 'PUT', json: {} })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET'])
  })

  test('a mount path that differs from the actual one is answered with mount_mismatch', async () => {
    const { call, engine } = serve({ mountPath: '/api/holdpoint' })
    await engine.create('s1', 'ada')
    const elsewhere = await call('/sessions/s1')
    expect([elsewhere.status, elsewhere.body.error.code]).toEqual([404, 'mount_mismatch'])
    const { call: there, engine: other } = serve({ mountPath: '/holdpoint/' })
    await other.create('s1', 'ada')
    expect((await there('/sessions/s1')).status).toBe(200)
    // A path that could match two routes matches one, once the mount point is configured.
    const { fetch } = serve({ mountPath: '/sessions' })
    const inbox = new Request('https://app.example/sessions/inbox', { headers: { 'x-user': 'ada' } })
    expect((await fetch(inbox)).status).toBe(200)
  })

  test('a path that only ends like a route is not found if mountPath is set [N9.2]', async () => {
    const { call } = serve({ mountPath: '/holdpoint', routes: [] })
    for (const path of ['/x/tool-settings', '/x/inbox', '/x/sessions/s1', '//inbox', '/inbox/']) {
      const answer = await call(path)
      expect([path, answer.status]).toEqual([path, 404])
    }
    expect((await call('/inbox')).status).toBe(200)
  })

  test('a snapshot must not be cached', async () => {
    const { call, engine } = serve()
    await engine.create('s1', 'ada')
    await engine.emit('s1', 'one')
    const { status, body, headers } = await call('/sessions/s1')
    expect([status, body.you.userId, headers.get('cache-control')]).toEqual([200, 'ada', 'no-store'])
  })

  test('threat 2: the inbox belongs to the authenticated principal, whatever the parameters [T2.2]', async () => {
    const { call } = serve()
    expect((await call('/inbox?userId=ada&next=ada', { user: 'eve' })).body.next).toBe('eve')
  })

  test('a host can add routes below the mount, behind the same guard', async () => {
    const { call } = serve({
      routes: [
        {
          method: 'POST',
          path: '/webhook',
          public: true,
          withoutOrigin: true,
          async handle({ json }) {
            return { kind: 'answer', status: 200, body: JSON.stringify(await json()), headers: {} }
          },
        },
      ],
    })
    const posted = await call('/webhook', { json: { a: 1 }, user: null, headers: { origin: null } })
    expect([posted.status, posted.body]).toEqual([200, { a: 1 }])
    const foreign = await call('/webhook', { json: {}, headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
  })
})

describe('messages', () => {
  test('a message reaches the engine with the authenticated user and the session of the path', async () => {
    const { call, engine } = serve()
    await engine.create('s1', 'ada')
    const messages = {
      answer: { ...answer, userId: 'eve', sessionId: 's2' },
      extend: { type: 'extend_interaction', clientId: 'c1', interactionId: 'i1' },
      cancelRun: { type: 'cancel_run', clientId: 'c1', runId: 'r1' },
      submitAuthResult: {
        type: 'submit_auth_result',
        clientId: 'c1',
        generationId: 'r1',
        integration: 'slack',
        success: true,
      },
      userActions: { type: 'user_actions', clientId: 'c1', actions: [{ type: 'global_event', event: 'x' }] },
    }
    for (const [verb, json] of Object.entries(messages)) {
      expect((await call('/sessions/s1/messages', { json })).status).toBe(200)
      expect(engine.calls.at(-1)).toEqual({ verb, userId: 'ada', sessionId: 's1', body: json })
    }
  })

  test('the messages hello and mode update the presence of the client', async () => {
    const { call, engine } = serve()
    await engine.create('s1', 'ada')
    const interaction = { supported: true, enabled: false }
    await call('/sessions/s1/messages', { json: { type: 'hello', clientId: 'c1', interaction } })
    await call('/sessions/s1/messages', { json: { type: 'set_interaction_mode', clientId: 'c1', enabled: true } })
    expect(engine.presences).toEqual([
      { verb: 'touch', clientId: 'c1', supported: true, enabled: false },
      { verb: 'touch', clientId: 'c1', enabled: true },
    ])
  })

  test('[HP-HTTP-5] an error of the engine is returned unchanged, with Retry-After rounded up to whole seconds', async () => {
    const { call, engine } = serve()
    engine.reply = { status: 409, body: { error: { code: 'settling', message: 'wait' } }, retryAfterMs: 1_200 }
    const { status, body, headers } = await call('/sessions/s1/messages', { json: answer })
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([409, 'settling', '2'])
  })

  test('[HP-HTTP-3] [HP-HTTP-4] an error of the protocol keeps its message, and any other error returns only a log id', async () => {
    const logged: Record<string, unknown>[] = []
    const logger = { error: (_: string, fields: Record<string, unknown>) => void logged.push(fields) }
    const { call, engine } = serve({ logger })
    const post = async (error: unknown) => {
      engine.throws = error
      const { status, body, text, headers } = await call('/sessions/s1/messages', { json: answer })
      expect(text).not.toMatch(/10\.0\.0\.3|stack|at Object/)
      return [status, body.error.code, headers.get('retry-after')]
    }
    expect(await post(new HoldpointError('too_many_questions', 'wait', { details: { retryAfterMs: 5000 } }))).toEqual([
      429,
      'too_many_questions',
      '5',
    ])
    expect(logged).toEqual([])
    expect(await post(new HoldpointError('store_busy', 'connect 10.0.0.3:5432'))).toEqual([
      503,
      'store_unavailable',
      '2',
    ])
    expect(await post(new HoldpointError('store_unavailable', 'connect 10.0.0.3:5432'))).toEqual([
      503,
      'store_unavailable',
      '2',
    ])
    expect(await post(new HoldpointError('key_required', 'host only, 10.0.0.3'))).toEqual([500, 'internal', null])
    expect(await post(new Error('at 10.0.0.3'))).toEqual([500, 'internal', null])
    expect(await post('a string')).toEqual([500, 'internal', null])
    expect(logged).toHaveLength(5)
  })

  test('connect accepts only a return address of an allowed origin', async () => {
    const { call, engine } = serve({ allowedOrigins: ['https://ui.example'] })
    const connect = async (returnTo?: string) =>
      (await call('/sessions/s1/connect', { json: { interactionId: 'i1', integration: 'slack', returnTo } })).status
    for (const good of [undefined, '/chat?x=1', 'https://app.example/chat', 'https://ui.example/']) {
      expect(await connect(good)).toBe(200)
    }
    for (const bad of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      'chat',
      'https://app.example@evil.example/',
      ' /x',
    ]) {
      expect(await connect(bad)).toBe(400)
    }
    expect(engine.calls).toHaveLength(4)
    const malformed = await call('/sessions/s1/connect', { json: { interactionId: 'i1' } })
    expect([malformed.body.error.code, malformed.body.error.path]).toEqual(['invalid_message', 'integration'])
  })

  test('an upload of a user who may answer reaches the engine with its name, type and bytes', async () => {
    const { call, engine } = serve()
    await engine.create('s1', 'ada')
    const query = 'interactionId=i1&fieldId=f1&name=a%20b.png&type=image/png'
    const headers = { 'content-type': 'application/octet-stream' }
    const post = (path: string, user = 'ada', body = 'bytes') => call(path, { body, headers, user })
    expect((await post(`/sessions/s1/uploads?${query}`)).status).toBe(200)
    const file = {
      interactionId: 'i1',
      fieldId: 'f1',
      name: 'a b.png',
      type: 'image/png',
      bytes: expect.any(Uint8Array),
    }
    expect(engine.calls[0]?.body).toMatchObject(file)
    expect(engine.calls[0]?.body).not.toHaveProperty('keeps')
    expect((await post(`/sessions/s1/uploads?${query}&keeps=&keeps=h1`)).status).toBe(200)
    expect(engine.calls.pop()?.body).toMatchObject({ ...file, keeps: ['h1'] })
    expect((await post(`/sessions/s1/uploads?${query}`, 'eve')).status).toBe(404)
    expect((await post('/sessions/s1/uploads?interactionId=i1&fieldId=f1')).body.error.path).toBe('name')
    const large = await post(`/sessions/s1/uploads?${query}`, 'ada', 'x'.repeat(10 * 1024 * 1024 + 1))
    expect([large.status, large.body.error.code]).toEqual([413, 'too_large'])
    expect(engine.calls).toHaveLength(1)
  })
})

test('[HP-UPL-1] simultaneous uploads of one user are limited before their bodies are read [T29.3]', async () => {
  const { call, engine } = serve()
  await engine.create('s1', 'ada')
  const query = 'interactionId=i1&fieldId=f1&name=a.png&type=image/png'
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(10 * 1024 * 1024) }
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const body = () =>
    new ReadableStream({
      async pull(controller) {
        await ended
        controller.enqueue(new TextEncoder().encode('x'))
        controller.close()
      },
    })
  const all = Array.from({ length: 6 }, () => call(`/sessions/s1/uploads?${query}`, { body: body(), headers }))
  const first = await Promise.race(all)
  expect([first.status, first.body.error.code]).toEqual([429, 'rate_limited'])
  end()
  const statuses = (await Promise.all(all)).map(({ status }) => status).sort()
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  expect(
    (
      await call(`/sessions/s1/uploads?${query}`, {
        body: 'x',
        headers: { 'content-type': 'application/octet-stream' },
      })
    ).status,
  ).toBe(200)
})

describe('threat 30: floods, oversize, deep JSON, slow bodies', () => {
  const codeOf = async (call: ReturnType<typeof serve>['call'], body: BodyInit) => {
    const { status, body: said } = await call('/sessions/s1/messages', { body })
    return [status, said.error?.code]
  }

  test('[HP-BAD-1] [HP-ENC-1] [HP-ENC-2] [HP-ENC-3] [HP-ENC-4] [HP-ENC-7] each invalid body has its own code, and nothing reaches the engine [T30.1]', async () => {
    const { call, engine } = serve()
    await engine.create('s1', 'ada')
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(await codeOf(call, 'not json')).toEqual([400, 'invalid_json'])
    expect(await codeOf(call, '')).toEqual([400, 'invalid_json'])
    expect(await codeOf(call, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]))).toEqual([400, 'invalid_utf8'])
    expect(await codeOf(call, deep)).toEqual([400, 'too_deep'])
    expect(await codeOf(call, '{"type":"hello","__proto__":{"admin":true}}')).toEqual([400, 'forbidden_key'])
    expect(await codeOf(call, `"${'x'.repeat(256 * 1024)}"`)).toEqual([413, 'too_large'])
    expect(await codeOf(call, '{"type":"format_disk","clientId":"c"}')).toEqual([400, 'unknown_message'])
    expect(await codeOf(call, JSON.stringify({ ...answer, interactionId: 'a\r\nid: 1' }))).toEqual([
      400,
      'invalid_message',
    ])
    expect(await codeOf(call, JSON.stringify({ ...answer, action: 'explode' }))).toEqual([400, 'invalid_message'])
    expect(await codeOf(call, 'null')).toEqual([400, 'invalid_message'])
    expect([engine.calls, engine.presences]).toEqual([[], []])
  })

  test('a body above the limit is not read to its end', async () => {
    const { fetch } = serve()
    let pulled = 0
    let cancelled = false
    const body = new ReadableStream({
      pull(controller) {
        pulled += 16_384
        controller.enqueue(new Uint8Array(16_384))
      },
      cancel() {
        cancelled = true
      },
    })
    const response = await fetch(makeRequest('/sessions/s1/messages', { body }))
    expect([response.status, pulled < 2_000_000]).toEqual([413, true])
    await expect.poll(() => cancelled).toBe(true)
  })

  test('a body that arrives too slowly is answered with 408 [T30.2]', async () => {
    const clock = new FakeClock()
    const { fetch } = serve({ clock })
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) })
    const answered = fetch(makeRequest('/sessions/s1/messages', { body }))
    await new Promise((resolve) => setTimeout(resolve, 20))
    await clock.advance(10_000)
    const response = await answered
    expect([response.status, (await response.json()).error.code]).toEqual([408, 'request_timeout'])
    expect(clock.timers).toBe(0)
  })

  test('a body that a middleware has read is answered with body_already_read', async () => {
    const { fetch } = serve()
    const request = makeRequest('/sessions/s1/messages', { json: answer })
    await request.text()
    const response = await fetch(request)
    expect([response.status, (await response.json()).error.code]).toEqual([500, 'body_already_read'])
  })

  test('one user’s flood gets 429 with Retry-After, and does not affect others [T30.3]', async () => {
    const clock = new FakeClock()
    const { call } = serve({ clock, http: { rateLimit: { burst: 5, perSecond: 1 } } })
    const inbox = (user: string) => call('/inbox', { user })
    for (let i = 0; i < 5; i++) expect((await inbox('ada')).status).toBe(200)
    const { status, body, headers } = await inbox('ada')
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '1'])
    expect((await inbox('eve')).status).toBe(200)
    await clock.advance(1_000)
    expect([(await inbox('ada')).status, (await inbox('ada')).status]).toEqual([200, 429])
  })

  test('rate limits of inactive users are removed from memory', async () => {
    const clock = new FakeClock()
    const { call, fetch } = serve({ clock })
    for (let user = 0; user < 500; user++) {
      await call('/inbox', { user: `u${user}` })
      await clock.advance(100)
    }
    expect(appOf({ fetch }).load.rateBuckets).toBeLessThan(5)
  })
})
