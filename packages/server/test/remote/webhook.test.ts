import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { signWebhook } from '../../src/webhooks/signature.ts'
import { until } from '../engine/support/nodes.ts'
import { person } from '../engine/support/world.ts'
import type { Part } from './support/agent-script.ts'
import { allFrames } from './support/browser.ts'
import { local, refusalOf, SECRET } from './support/local.ts'

const TASK = { sessionId: 'task-42' }
const TEXT = { ...TASK, type: 'text', id: 'text-1', text: 'Done.', timestamp: 1 }

/** Both servers, after the agent received the address and credentials for its reports. */
async function world() {
  const made = local()
  const granted: { webhookUrl: string; webhookSecret: string }[] = []
  const { agent } = made
  const spied = agent.fetch
  agent.fetch = async (request) => {
    if (request.url.endsWith('/session')) granted.push((await request.clone().json()) as (typeof granted)[number])
    return await spied(request)
  }
  const start = async (sessionId = TASK.sessionId) => {
    expect((await made.start({ sessionId })).status).toBe(200)
    const { webhookUrl: url, webhookSecret: secret } = granted.at(-1) ?? { webhookUrl: '', webhookSecret: '' }
    return { url, secret }
  }
  const post = async (url: string, secret: string, payload: unknown, id = 'msg_1', at = made.now()) => {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const headers = {
      ...(await signWebhook({ id, now: at, body, secrets: [secret] })),
      'content-type': 'application/json',
    }
    return await made.sessions.webhook(new Request(url, { method: 'POST', headers, body }))
  }
  const texts = async (sessionId = TASK.sessionId) =>
    (await made.sessions.messages({ sessionId })).flatMap(({ role, text }) => (role === 'assistant' ? [text] : []))
  return { ...made, start, post, texts }
}
const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? ''
const withToken = (url: string, token: string) => {
  const other = new URL(url)
  other.searchParams.set('token', token)
  return other.href
}
const claimsOf = (token: string) => JSON.parse(atob(token.split('.')[1] ?? '')) as Record<string, unknown>

describe('a webhook', () => {
  test('is stored once: text as a message, calls and results as one tool-use artifact, in any order', async () => {
    const { start, post, texts, sessions, holdpoint } = await world()
    const { url, secret } = await start()
    expect((await post(url, secret, TEXT)).status).toBe(200)
    const result = {
      ...TASK,
      type: 'tool-result',
      toolCallId: 'c1',
      toolName: 'search',
      output: { hits: 1 },
      timestamp: 2,
    }
    const called = { ...TASK, type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: { q: 'x' }, timestamp: 1 }
    expect((await post(url, secret, result, 'msg_2')).status).toBe(200)
    expect((await post(url, secret, called, 'msg_3')).status).toBe(200)
    // The same call in another run is another call.
    expect((await post(url, secret, { ...called, runId: 'r2', input: { q: 'y' } }, 'msg_4')).status).toBe(200)
    expect(await texts()).toEqual(['Done.'])
    expect(await sessions.toolUses(TASK)).toMatchObject([
      { type: 'TOOL_USE', toolCallId: 'c1', toolName: 'search', input: { q: 'y' }, runId: 'r2' },
      { type: 'TOOL_USE', toolCallId: 'c1', toolName: 'search', input: { q: 'x' }, output: { hits: 1 } },
    ])
    const log = (await person(holdpoint, 'task-42').events()).map(({ type }) => type)
    expect(log).toEqual(['user_message', 'content', 'tool_call_complete', 'tool_call_update', 'tool_call_start'])
  })

  test('threat 23: with a repeated id is stored once, also if many arrive at once or with another body', async () => {
    const { start, post, texts } = await world()
    const { url, secret } = await start()
    const all = await Promise.all(Array.from({ length: 20 }, () => post(url, secret, TEXT)))
    expect(all.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const again = await post(url, secret, { ...TEXT, text: 'Again.' })
    expect(await again.json()).toEqual({ success: true, duplicate: true })
    expect(await texts()).toEqual(['Done.'])
  })

  test('of an unknown type is stored as unknown and answered with 200, and is no message', async () => {
    const { start, post, texts, sessions, holdpoint } = await world()
    const { url, secret } = await start()
    const payload = { ...TASK, type: 'video', url: 'x' }
    expect((await post(url, secret, payload)).status).toBe(200)
    expect((await post(url, secret, payload)).status).toBe(200)
    expect(await sessions.unknown(TASK)).toMatchObject([{ id: 'msg_1', type: 'video', payload }])
    expect(await texts()).toEqual([])
    expect((await person(holdpoint, 'task-42').events()).map(({ type }) => type)).toEqual(['user_message'])
  })

  test('for an erased session is rejected', async () => {
    const { start, post, holdpoint, sessions } = await world()
    const { url, secret } = await start()
    await holdpoint.eraseSession(TASK)
    expect(await refusalOf(post(url, secret, TEXT))).toEqual({ status: 404, code: 'webhook_unknown_session' })
    expect(await sessions.messages(TASK)).toEqual([])
  })
})

describe('a forged webhook is rejected and stores nothing', () => {
  type World = Awaited<ReturnType<typeof world>>
  type Forgery = (world: World, granted: { url: string; secret: string }) => Promise<Response>
  const cases: [what: string, status: number, code: string, forge: Forgery][] = [
    ['no token', 400, 'webhook_token_missing', ({ post }, { url, secret }) => post(url.split('?')[0]!, secret, TEXT)],
    [
      'a token that is none',
      400,
      'webhook_token_invalid',
      ({ post }, { url, secret }) => post(withToken(url, 'nonsense'), secret, TEXT),
    ],
    [
      'alg none',
      401,
      'webhook_token_invalid',
      ({ post }, { url, secret }) => {
        const unsigned = new UnsecuredJWT(claimsOf(tokenOf(url))).encode()
        return post(withToken(url, unsigned), secret, TEXT)
      },
    ],
    [
      'signed with another key',
      401,
      'webhook_token_invalid',
      async ({ post }, { url, secret }) => {
        const key = new TextEncoder().encode('another key of thirty-two bytes.')
        const header = { alg: 'HS256', typ: 'holdpoint-webhook+jwt' }
        const forged = await new SignJWT(claimsOf(tokenOf(url))).setProtectedHeader(header).sign(key)
        return await post(withToken(url, forged), secret, TEXT)
      },
    ],
    [
      'signed with the secret that signs bodies',
      401,
      'webhook_token_invalid',
      async ({ post }, { url, secret }) => {
        const key = new TextEncoder().encode(secret)
        const header = { alg: 'HS256', typ: 'holdpoint-webhook+jwt' }
        const forged = await new SignJWT(claimsOf(tokenOf(url))).setProtectedHeader(header).sign(key)
        return await post(withToken(url, forged), secret, TEXT)
      },
    ],
    [
      'expired',
      401,
      'webhook_token_invalid',
      ({ post, time }, { url, secret }) => {
        time.offset += 11 * 60_000
        return post(url, secret, TEXT)
      },
    ],
    [
      'a body signed with another secret',
      401,
      'webhook_signature_invalid',
      ({ post }, { url }) => post(url, SECRET, TEXT),
    ],
    [
      'a body signed long ago',
      401,
      'webhook_signature_invalid',
      ({ post, now }, { url, secret }) => post(url, secret, TEXT, 'msg_1', now() - 6 * 60_000),
    ],
    [
      'a body that is not signed',
      401,
      'webhook_signature_invalid',
      ({ sessions }, { url }) => sessions.webhook(new Request(url, { method: 'POST', body: JSON.stringify(TEXT) })),
    ],
    [
      'a token of another session',
      400,
      'webhook_wrong_session',
      async ({ post, start }) => {
        const other = await start('task-43')
        return await post(other.url, other.secret, TEXT)
      },
    ],
    [
      'a session that was never opened',
      404,
      'webhook_unknown_session',
      ({ post }, { url, secret }) => {
        const forged = new UnsecuredJWT({ ...claimsOf(tokenOf(url)), sub: 'unknown' }).encode()
        return post(withToken(url, forged), secret, { ...TEXT, sessionId: 'unknown' })
      },
    ],
    [
      'oversize',
      413,
      'too_large',
      ({ post }, { url, secret }) => post(url, secret, { ...TEXT, text: 'x'.repeat(300_000) }),
    ],
    ['no JSON', 400, 'invalid_json', ({ post }, { url, secret }) => post(url, secret, '{"type":')],
    ['no type', 400, 'invalid_message', ({ post }, { url, secret }) => post(url, secret, TASK)],
    [
      'a text without text',
      400,
      'invalid_message',
      ({ post }, { url, secret }) => post(url, secret, { ...TEXT, text: 7 }),
    ],
    ['a GET', 405, 'method_not_allowed', ({ sessions }, { url }) => sessions.webhook(new Request(url))],
  ]
  test.each(cases)('%s', async (_what, status, code, forge) => {
    const made = await world()
    const granted = await made.start()
    expect(await refusalOf(forge(made, granted))).toEqual({ status, code })
    expect(await made.texts()).toEqual([])
    expect(await made.sessions.toolUses(TASK)).toEqual([])
    expect(await made.sessions.unknown(TASK)).toEqual([])
  })
})

describe('the sender of webhooks', () => {
  const text = async function* (): AsyncGenerator<Part> {
    yield { type: 'text-start', id: 't' }
    yield { type: 'text-delta', id: 't', text: 'Done.' }
    yield { type: 'text-end', id: 't' }
  }

  test('retries with growing pauses, then keeps a dead letter that can be retried or dropped', async () => {
    let away = true
    const tries: string[] = []
    const { start, stream, sessions, agent } = local({
      agent: {
        run: text,
        delaysMs: [5, 10, 20],
        fetch: async (url, request) => {
          tries.push(request?.headers?.['webhook-id'] ?? '')
          if (away) return new Response('no', { status: 503 })
          const { method = 'GET', headers = {}, body } = request ?? {}
          return await sessions.webhook(new Request(url, { method, headers, body: `${body}` }))
        },
      },
    })
    const { body } = await start()
    await allFrames(await stream('task-42', body.streamToken))
    await until(async () => (await agent.deadLetters()).letters.length === 1, 'the dead letter')
    const [letter] = (await agent.deadLetters()).letters
    expect(letter).toMatchObject({ destination: 'task-42', attempts: 4, reason: 'status 503' })
    expect(tries).toHaveLength(4)
    expect(new Set(tries).size).toBe(1)
    away = false
    expect(await agent.redeliver(letter?.id ?? '')).toBe(true)
    expect(await sessions.messages(TASK)).toMatchObject([{ role: 'user' }, { role: 'assistant', text: 'Done.' }])
    expect((await agent.deadLetters()).letters).toEqual([])
  })

  test('uses the token of the next session if its token expired while the back end was down', async () => {
    let away = true
    const { start, stream, sessions, time, agent } = local({
      agent: {
        run: text,
        delaysMs: [1_000, 1_000],
        fetch: async (url, request) => {
          if (away) throw new TypeError('away')
          const { method = 'GET', headers = {}, body } = request ?? {}
          return await sessions.webhook(new Request(url, { method, headers, body: `${body}` }))
        },
      },
    })
    const { body } = await start()
    await allFrames(await stream('task-42', body.streamToken))
    away = false
    time.offset += 11 * 60_000
    await start({ message: 'again' })
    await until(async () => {
      await agent.tick()
      return (await sessions.messages(TASK)).some(({ text }) => text === 'Done.')
    }, 'the report')
  })
})
