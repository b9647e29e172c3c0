import { memoryStore } from '@holdpoint/server/memory'
import { createRemoteAgent } from '@holdpoint/server/remote'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { until } from '../engine/support/nodes.ts'
import type { Part } from './support/agent-script.ts'
import { allFrames } from './support/browser.ts'
import { KEYS, local, ORIGIN, PASSWORD, refusalOf, SECRET } from './support/local.ts'

afterEach(() => void vi.unstubAllEnvs())

const SESSION = { sessionId: 's1', webhookUrl: 'https://app.example.com/webhook', webhookSecret: SECRET }

describe('opening a session', () => {
  test.each([
    ['no password', {}, 401, 'wrong_password'],
    ['a wrong one', { authorization: 'Bearer a-password-of-the-agenT' }, 401, 'wrong_password'],
    ['a part of it', { authorization: `Bearer ${PASSWORD.slice(0, -1)}` }, 401, 'wrong_password'],
    ['basic', { authorization: `Basic ${btoa(PASSWORD)}` }, 401, 'wrong_password'],
    ['from a page', { authorization: `Bearer ${PASSWORD}`, origin: ORIGIN }, 403, 'origin_not_allowed'],
  ])('%s is refused', async (_what, headers, status, code) => {
    const { call } = local()
    const made = call('/session', {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: JSON.stringify(SESSION),
    })
    expect(await refusalOf(made)).toEqual({ status, code })
  })

  test('malformed, oversize and undeclared bodies are rejected with their own codes', async () => {
    const { call } = local()
    const post = (body: string, type = 'application/json') =>
      refusalOf(
        call('/session', {
          method: 'POST',
          headers: { authorization: `Bearer ${PASSWORD}`, 'content-type': type },
          body,
        }),
      )
    expect(await post('{')).toEqual({ status: 400, code: 'invalid_json' })
    expect(await post(JSON.stringify({ ...SESSION, webhookSecret: 'none' }))).toEqual({
      status: 400,
      code: 'invalid_message',
    })
    expect(await post(JSON.stringify({ ...SESSION, sessionId: 'a\nb' }))).toEqual({
      status: 400,
      code: 'invalid_message',
    })
    expect(await post(JSON.stringify(SESSION), 'text/plain')).toEqual({ status: 415, code: 'unsupported_media_type' })
    expect(await post(JSON.stringify({ ...SESSION, pad: 'x'.repeat(300_000) }))).toEqual({
      status: 413,
      code: 'too_large',
    })
  })

  test.each([
    'http://app.example.com/webhook',
    'https://169.254.169.254/latest',
    'https://user:pass@app.example.com/',
    'https://elsewhere.example.com/webhook',
    'http://127.0.0.1:9000/webhook',
    'file:///etc/passwd',
  ])('threat 27: a webhook at %s is refused', async (webhookUrl) => {
    const agent = createRemoteAgent({
      ...{ store: memoryStore(), password: PASSWORD, vaultKeys: KEYS, allowedOrigins: [], run: async function* () {} },
      webhookHosts: ['app.example.com'],
    })
    const made = agent.fetch(
      new Request('https://agent.example.com/session', {
        method: 'POST',
        headers: { authorization: `Bearer ${PASSWORD}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...SESSION, webhookUrl }),
      }),
    )
    expect(await refusalOf(made)).toEqual({ status: 400, code: 'webhook_url_not_allowed' })
  })

  test('a weak or missing password is rejected by createRemoteAgent', () => {
    const make = (password?: string) => () =>
      createRemoteAgent({
        ...{ store: memoryStore(), vaultKeys: KEYS, allowedOrigins: [], run: async function* () {} },
        ...(password !== undefined && { password }),
      })
    expect(make()).toThrow(expect.objectContaining({ code: 'weak_secret' }))
    expect(make('short')).toThrow(expect.objectContaining({ code: 'weak_secret' }))
  })

  test.each([undefined, 'production', 'test', 'Development'])(
    'an agent without a password is rejected with NODE_ENV %s',
    (name) => {
      vi.stubEnv('NODE_ENV', name)
      expect(() => local({ agent: { localWithoutPassword: true } })).toThrow(
        expect.objectContaining({ code: 'development_only' }),
      )
    },
  )

  test('an agent without a password in development answers only requests to this machine', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    const agent = createRemoteAgent({
      ...{ store: memoryStore(), vaultKeys: KEYS, allowedOrigins: [], run: async function* () {} },
      localWithoutPassword: true,
    })
    const post = (url: string) =>
      agent.fetch(
        new Request(`${url}/session`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...SESSION, webhookUrl: 'http://localhost:3000/webhook' }),
        }),
      )
    expect((await post('http://localhost:15552')).status).toBe(200)
    expect(await refusalOf(post('http://192.168.0.7:15552'))).toEqual({ status: 403, code: 'host_not_allowed' })
  })
})

describe('the stream’s token', () => {
  test('opens only its own session, until it expires or is revoked', async () => {
    const { call, opened, stream, agent, time } = local()
    const [one, two] = [await opened('s1'), await opened('s2')]
    expect(await allFrames(await stream('s1', one))).toHaveLength(4)
    const wrong = { status: 401, code: 'stream_token_invalid' }
    expect(await refusalOf(stream('s1', two))).toEqual(wrong)
    expect(await refusalOf(stream('s1', ''))).toEqual(wrong)
    expect(await refusalOf(stream('unknown', one))).toEqual(wrong)
    await agent.revoke('s2')
    expect(await refusalOf(stream('s2', two))).toEqual(wrong)
    const ended = await call('/session/s1', { method: 'DELETE', headers: { authorization: `Bearer ${PASSWORD}` } })
    expect(ended.status).toBe(200)
    expect(await refusalOf(stream('s1', one))).toEqual(wrong)
    expect(await refusalOf(call('/session/s1', { method: 'DELETE' }))).toEqual({ status: 401, code: 'wrong_password' })

    const three = await opened('s1')
    time.offset += 14 * 60_000
    expect((await stream('s1', three)).status).toBe(200)
    time.offset += 2 * 60_000
    expect(await refusalOf(stream('s1', three))).toEqual(wrong)
  })

  test('is replaced when the session is refreshed, and the last few tokens stay valid for other tabs', async () => {
    const { opened, stream } = local()
    const tokens = []
    for (let n = 0; n < 6; n++) tokens.push(await opened('s1'))
    expect(new Set(tokens).size).toBe(6)
    expect((await stream('s1', tokens[0]!)).status).toBe(401)
    expect((await stream('s1', tokens[1]!)).status).toBe(200)
  })

  test('threat 20: tokens and webhook secrets are not to be found in the store', async () => {
    const { opened, agentStore } = local()
    const token = await opened('s1')
    const row = await agentStore.load([{ partition: 'remote-agent/s1', kind: 'remote_session', id: 'session' }])
    const stored = row.rows[0]?.data ?? ''
    expect(stored).toContain('tokens')
    for (const secret of [token, token.slice(7), SECRET, 'token=x']) expect(stored).not.toContain(secret)
  })

  test('is accepted in the URL as well', async () => {
    const { opened, call } = local()
    const token = await opened('s1')
    const response = await call(`/stream/s1?token=${encodeURIComponent(token)}`, {
      method: 'POST',
      body: JSON.stringify({ prompt: 'hi' }),
    })
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await allFrames(response)).toHaveLength(4)
  })
})

describe('a run of the remote agent', () => {
  function slow() {
    const goOn: (() => void)[] = []
    let aborted = false
    const made = local({
      agent: {
        run: async function* ({ prompt, signal }): AsyncGenerator<Part> {
          signal.addEventListener('abort', () => (aborted = true))
          yield { type: 'text-delta', id: 't', text: prompt }
          await new Promise<void>((resolve) => goOn.push(resolve))
          yield { type: 'finish' }
        },
      },
    })
    return { ...made, goOn: () => goOn.shift()?.(), aborted: () => aborted }
  }

  test('rejects a second prompt in the session with 409, and a repeat of the same prompt joins it', async () => {
    const { opened, stream, goOn } = slow()
    const token = await opened('s1')
    const first = await stream('s1', token, { prompt: 'a', promptId: 'p1' })
    expect(await refusalOf(stream('s1', token, { prompt: 'b' }))).toEqual({ status: 409, code: 'agent_busy' })
    const repeated = await stream('s1', token, { prompt: 'a', promptId: 'p1' })
    setTimeout(goOn, 5)
    const [one, two] = await Promise.all([allFrames(first), allFrames(repeated)])
    expect(one).toEqual(two)
    expect(await allFrames(await stream('s1', token, { prompt: 'a', promptId: 'p1' }))).toEqual(one)
  })

  test('is cancelled by a client with the token', async () => {
    const { opened, stream, call, aborted } = slow()
    const token = await opened('s1')
    const reading = await stream('s1', token)
    expect((await call('/stream/s1', { method: 'DELETE' })).status).toBe(401)
    const headers = { authorization: `Bearer ${token}` }
    expect(await (await call('/stream/s1', { method: 'DELETE', headers })).json()).toEqual({ cancelled: true })
    expect((await allFrames(reading)).at(-1)?.part).toEqual({ type: 'abort' })
    expect(aborted()).toBe(true)
    expect(await (await call('/stream/s1', { method: 'DELETE', headers })).json()).toEqual({ cancelled: false })
  })

  test('reports an error without details if the agent throws', async () => {
    const { opened, stream } = local({
      agent: {
        run: async function* (): AsyncGenerator<Part> {
          yield { type: 'text-delta', id: 't', text: 'a' }
          throw new RangeError('the key sk-1 is wrong')
        },
      },
    })
    const frames = await allFrames(await stream('s1', await opened('s1')))
    expect(frames.at(-1)?.part).toEqual({ type: 'error', errorText: 'The agent failed.' })
    expect(JSON.stringify(frames)).not.toContain('sk-1')
  })

  test('rejects malformed prompts and cursors with their own codes', async () => {
    const { opened, stream, call } = local()
    const token = await opened('s1')
    const malformed = { status: 400, code: 'invalid_message' }
    for (const body of [{}, { prompt: '' }, { prompt: 7 }, []]) {
      expect(await refusalOf(stream('s1', token, body))).toEqual(malformed)
    }
    expect(await refusalOf(stream('s1', token, { prompt: 'x'.repeat(300_000) }))).toEqual({
      status: 413,
      code: 'too_large',
    })
    const headers = { authorization: `Bearer ${token}` }
    const resume = (cursor: string) => refusalOf(call(`/stream/s1?cursor=${cursor}`, { headers }))
    expect(await resume('')).toEqual({ status: 400, code: 'invalid_cursor' })
    expect(await resume('a.b')).toEqual({ status: 400, code: 'invalid_cursor' })
    expect(await resume('other.1')).toEqual({ status: 410, code: 'cursor_gone' })
    const frames = await allFrames(await stream('s1', token))
    const [epoch] = (frames[0]?.cursor ?? '').split('.')
    expect(await resume(`${epoch}.99999`)).toEqual({ status: 410, code: 'cursor_gone' })
  })

  test('uses no memory for a slow reader, and continues without a reader', async () => {
    const { opened, stream, agentStore } = local({
      agent: {
        run: async function* (): AsyncGenerator<Part> {
          for (let n = 0; n < 3_000; n++) yield { type: 'text-delta', id: 't', n, text: 'x'.repeat(100) }
        },
      },
    })
    const response = await stream('s1', await opened('s1'))
    // All of it is in the store, although there is no reader.
    await until(
      async () => (await agentStore.readLog('remote-agent/s1', { from: 1, limit: 1 })).head >= 3_002,
      'the end',
    )
    const frames = await allFrames(response)
    expect(frames.filter(({ part }) => part.type === 'text-delta').map(({ part }) => part.n)).toEqual(
      Array.from({ length: 3_000 }, (_, n) => n),
    )
  })
})
