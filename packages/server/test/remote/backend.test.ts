import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readHistory, toModelMessages } from '@holdpoint/server/tools'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createGuardedFetch } from '../../src/security/outbound/guarded-fetch.ts'
import { until } from '../engine/support/nodes.ts'
import { allFrames } from './support/browser.ts'
import { AGENT, local } from './support/local.ts'

afterEach(() => void vi.unstubAllEnvs())

/** A server that does what it wants. */
async function serverDoing(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a message is sent to the agent, streamed to the page, and kept in the history after the report', async () => {
  const { start, stream, sessions, holdpoint } = local()
  const { status, body } = await start({ taskId: 'task-42', sessionId: undefined, artifacts: [{ type: 'FORM' }] })
  expect(status).toBe(200)
  expect(body).toEqual({
    success: true,
    sessionId: 'task-42',
    streamToken: expect.stringMatching(/^stream_/),
    streamUrl: `${AGENT}/stream/task-42`,
  })
  expect((await allFrames(await stream('task-42', body.streamToken))).map(({ part }) => part.type)).toEqual([
    'text-start',
    'text-delta',
    'text-end',
    'finish',
  ])
  const task = { sessionId: 'task-42' }
  await until(async () => (await sessions.messages(task)).length === 2, 'the report')
  expect(await sessions.messages(task)).toMatchObject([
    { role: 'user', text: 'hello', artifacts: [{ type: 'FORM' }] },
    { role: 'assistant', text: 're: hi' },
  ])
  const messages = toModelMessages(await readHistory(holdpoint, { ...task, userId: 'ada' }))
  expect(messages).toEqual([
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: [{ type: 'text', text: 're: hi' }] },
  ])
  // A second turn refreshes the session.
  const again = await start({ message: 'more' })
  expect(again.body.streamToken).not.toBe(body.streamToken)
  expect(await allFrames(await stream('task-42', again.body.streamToken))).toHaveLength(4)
})

describe('starting a session of a remote agent', () => {
  test('is rejected with 400, 401, 403, 404 or 415 and its own code, and the agent receives nothing', async () => {
    let heard = 0
    const { start } = local({
      sessions: {
        agentOf: ({ sessionId }) => {
          if (sessionId === 'no-url') return { url: '', password: 'x' }
          if (sessionId === 'no-password') return { url: AGENT }
          return sessionId === 'unknown' ? null : { url: AGENT, password: 'x' }
        },
        fetch: async () => {
          heard++
          return Response.json({ token: 'a-token-of-the-agent' })
        },
      },
      holdpoint: {
        security: { authorize: ({ principal, action, owner }) => principal.userId === owner || action === 'read' },
      },
    })
    const code = async (body: unknown, headers: Record<string, string | null> = {}) => {
      const said = await start(body, headers)
      return [said.status, said.body.error?.code]
    }
    expect(await code('{')).toEqual([400, 'invalid_json'])
    expect(await code({ sessionId: undefined })).toEqual([400, 'invalid_message'])
    expect(await code({ message: '' })).toEqual([400, 'invalid_message'])
    expect(await code({ sessionId: 'no-url' })).toEqual([400, 'agent_not_configured'])
    expect(await code({ sessionId: 'no-password' })).toEqual([400, 'agent_not_configured'])
    expect(await code({}, { 'x-user': null })).toEqual([401, 'not_authenticated'])
    expect(await code({}, { origin: 'https://evil.example' })).toEqual([403, 'origin_not_allowed'])
    expect(await code({}, { origin: null })).toEqual([403, 'origin_not_allowed'])
    expect(await code({ sessionId: 'unknown' })).toEqual([404, 'not_found'])
    expect(await code({}, { 'content-type': 'text/plain' })).toEqual([415, 'unsupported_media_type'])
    expect(heard).toBe(0)
    expect((await start()).status).toBe(200)
    expect(await code({ message: 'mine' }, { 'x-user': 'eve' })).toEqual([403, 'forbidden'])
    expect(heard).toBe(1)
  })

  test('threat 1: is rejected for another user’s session as for an unknown one', async () => {
    const { start } = local()
    expect((await start()).status).toBe(200)
    const other = await start({}, { 'x-user': 'eve' })
    expect([other.status, other.body.error.code]).toEqual([404, 'not_found'])
  })

  test('keeps tenants apart if they share an agent', async () => {
    const { start, stream, sessions } = local()
    const plain = await start({ message: 'plain' })
    const acme = await start({ message: 'acme' }, { 'x-tenant': 'acme' })
    // A name that looks like the other tenant's session at the agent.
    const sly = await start({ sessionId: 'acme~task-42~', message: 'sly' }, { 'x-user': 'eve' })
    const urls = [plain, acme, sly].map(({ body }) => body.streamUrl)
    expect(new Set(urls).size).toBe(3)
    for (const { body } of [plain, acme, sly]) {
      const name = body.streamUrl.split('/').at(-1) ?? ''
      await allFrames(await stream(name, body.streamToken))
    }
    const texts = async (session: { sessionId: string; tenant?: string }) =>
      (await sessions.messages(session)).map(({ text }) => text)
    await until(async () => (await texts({ sessionId: 'acme~task-42~' })).length === 2, 'the report')
    await until(async () => (await texts({ sessionId: 'task-42', tenant: 'acme' })).length === 2, 'the report')
    expect(await texts({ sessionId: 'task-42', tenant: 'acme' })).toEqual(['acme', 're: hi'])
    expect(await texts({ sessionId: 'acme~task-42~' })).toEqual(['sly', 're: hi'])
  })
})

describe('the back end answers 502 if the agent', () => {
  const cases: [what: string, reason: string, listener: RequestListener][] = [
    [
      'rejects the request',
      'refused',
      (_request, response) => void response.writeHead(500).end('stack trace of the agent'),
    ],
    ['does not accept the password', 'wrong_password', (_request, response) => void response.writeHead(401).end()],
    [
      'returns another content type',
      'wrong_type',
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('{"token":"a-token-of-the-agent"}'),
    ],
    [
      'returns invalid JSON',
      'no_token',
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
    ],
    [
      'answers without a token',
      'no_token',
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"a b\\nc"}'),
    ],
    [
      'sends us elsewhere',
      'url_not_allowed',
      (_request, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    ],
    [
      'never stops',
      'response_too_large',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const pour = () => {
          while (!response.destroyed && response.write('x'.repeat(10_000)));
          if (!response.destroyed) response.once('drain', pour)
        }
        pour()
      },
    ],
    ['is slow', 'unreachable', () => {}],
  ]
  test.each(cases)('%s', async (_what, reason, listener) => {
    const url = await serverDoing(listener)
    const fetch = createGuardedFetch({ allowLoopback: true, maxBytes: 64 * 1024, timeoutMs: 500 })
    const { start, sessions } = local({ sessions: { agentOf: () => ({ url, password: 'x' }), fetch } })
    const { status, body } = await start()
    expect([status, body.error.code, body.error.reason]).toEqual([502, 'agent_failed', reason])
    expect(JSON.stringify(body)).not.toContain('stack trace')
    expect(await sessions.messages({ sessionId: 'task-42' })).toEqual([])
  })

  test('is down', async () => {
    const fetch = createGuardedFetch({ allowLoopback: true })
    const { start } = local({ sessions: { agentOf: () => ({ url: 'http://127.0.0.1:1', password: 'x' }), fetch } })
    expect((await start()).body.error).toMatchObject({ code: 'agent_failed', reason: 'unreachable' })
  })

  test.each(['http://agent.example.com', 'https://10.0.0.7', 'http://localhost:9', 'https://elsewhere.example.com'])(
    'threat 27: is at %s',
    async (url) => {
      const fetch = createGuardedFetch({ allowedHosts: ['agent.example.com'] })
      const { start } = local({ sessions: { agentOf: () => ({ url, password: 'x' }), fetch } })
      expect((await start()).body.error).toMatchObject({ code: 'agent_failed', reason: 'url_not_allowed' })
    },
  )
})

describe('localAgentUrl', () => {
  test.each([undefined, 'production', 'test'])('is rejected with NODE_ENV %s', (name) => {
    vi.stubEnv('NODE_ENV', name)
    expect(() => local({ sessions: { localAgentUrl: 'http://localhost:15552' } })).toThrow(
      expect.objectContaining({ code: 'development_only' }),
    )
  })

  test('is rejected if it is not on this machine', () => {
    vi.stubEnv('NODE_ENV', 'development')
    for (const url of ['http://agent.example.com', 'http://localhost.evil.example', 'nonsense', 'http://10.0.0.7']) {
      expect(() => local({ sessions: { localAgentUrl: url } })).toThrow(
        expect.objectContaining({ code: 'development_only' }),
      )
    }
  })

  test('replaces the agent of the session and needs no password', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    const asked: unknown[] = []
    const { start } = local({
      holdpoint: { name: 'remote-local' },
      sessions: {
        localAgentUrl: 'http://localhost:15552',
        fetch: async (url, request) => {
          asked.push([`${url}`, request?.headers?.authorization])
          return Response.json({ token: 'a-token-of-the-agent' })
        },
      },
    })
    const { body } = await start({}, { host: 'localhost', origin: 'http://localhost' })
    expect(body).toMatchObject({ streamUrl: 'http://localhost:15552/stream/task-42' })
    expect(asked).toEqual([['http://localhost:15552/session', undefined]])
  })
})
