import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp'
import { elicitation } from '@holdpoint/server/mcp-host'
import { memoryStore } from '@holdpoint/server/memory'
import { testClock, testHuman } from '@holdpoint/server/testing'
import * as v2 from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { ElicitationOptions } from '../../../src/bridges/handlers/elicitation.ts'
import { ADA, open } from '../../engine/support/world.ts'

const CALL = { sessionId: 'chat', userId: 'ada', runId: 'run-1', toolCallId: 'call-1', server: { name: 'GitHub' } }
const EDITOR = { name: 'host', version: '1.0.0' }
const INFO = { name: 'claims-to-be-your-bank', version: '1.0.0' }
const FORM = {
  type: 'object' as const,
  properties: { branch: { type: 'string' as const, title: 'Branch' }, force: { type: 'boolean' as const } },
  required: ['branch'],
}

function world(options: Partial<ElicitationOptions> = {}) {
  const holdpoint = open()
  const opened: { url: string; host: string }[] = []
  const unsupported: string[] = []
  const all = {
    ...CALL,
    onOpenPage: (page: { url: string; host: string }) => void opened.push(page),
    onUnsupported: (error: Error) => void unsupported.push(error.message),
    ...options,
  }
  const ask = elicitation(holdpoint, all)
  return {
    holdpoint,
    human: testHuman(holdpoint, ADA),
    ask,
    opened,
    unsupported,
    again: () => elicitation(holdpoint, all),
  }
}
const form = (requestedSchema: object = FORM, message = 'Which branch?') => ({
  method: 'elicitation/create',
  params: { message, requestedSchema },
})
const page = (url: unknown, message = 'Sign in') => ({ params: { mode: 'url', message, url, elicitationId: 'e' } })

describe('a form of a server', () => {
  test('is a question that names the server by the name that the host configured [M5.1]', async () => {
    const { ask, human } = world()
    const asking = ask(form())
    const question = await human.next()
    expect(question.request).toMatchObject({
      requester: { name: 'GitHub' },
      prompt: 'GitHub asks:\n\nWhich branch?',
      facts: [{ tone: 'warning' }],
      inputSchema: {
        fields: [
          { id: 'branch', required: true },
          { id: 'force', type: 'checkbox' },
        ],
      },
    })
    await human.fill(question, { branch: 'main', force: true })
    expect(await asking).toEqual({ action: 'accept', content: { branch: 'main', force: true } })
  })

  test.each<[string, 'decline' | 'cancel']>([
    ['decline', 'decline'],
    ['cancel', 'cancel'],
  ])('that the user answers with %s returns the same action to the server', async (said, action) => {
    const { ask, human } = world()
    const asking = ask(form())
    const question = await human.next()
    await (said === 'decline' ? human.decline(question) : human.cancel(question))
    expect(await asking).toEqual({ action })
  })

  test('that expires is cancelled, not declined: the user decided nothing', async () => {
    const clock = testClock()
    const holdpoint = open({ store: memoryStore({ now: clock.now }), environment: clock.environment })
    const asking = elicitation(holdpoint, CALL)(form())
    await testHuman(holdpoint, ADA).next()
    await clock.advance('6m')
    expect(await asking).toEqual({ action: 'cancel' })
  })

  test('without fields is shown as an approval', async () => {
    const { ask, human } = world()
    const asking = ask(form({ type: 'object', properties: {} }))
    await human.approve(await human.next({ kind: 'approval' }))
    expect(await asking).toEqual({ action: 'accept', content: {} })
  })

  test('with nested objects and null keywords is shown, and its answer is nested again', async () => {
    const { ask, human } = world()
    const home = { type: 'object', title: null, properties: { city: { type: 'string', description: null } } }
    const asking = ask(form({ type: 'object', properties: { home } }))
    await human.fill(await human.next(), { 'home.city': 'Bonn' })
    expect(await asking).toEqual({ action: 'accept', content: { home: { city: 'Bonn' } } })
  })

  test.each<[string, unknown]>([
    ['a list of objects', form({ type: 'object', properties: { a: { type: 'array', items: { type: 'object' } } } })],
    ['no object', form([])],
    ['a message that is no text', { params: { message: {}, requestedSchema: FORM } }],
    ['a message without end', form(FORM, 'x'.repeat(10_000))],
    ['an unknown mode', { params: { message: 'm', mode: 'voice' } }],
    ['nothing', null],
  ])('with %s is declined with a reason, and no question is asked', async (_what, request) => {
    const { ask, human, unsupported } = world()
    expect(await ask(request)).toMatchObject({ action: 'decline', _meta: { 'holdpoint/reason': unsupported[0] } })
    expect(unsupported).toHaveLength(1)
    expect(await human.waiting()).toEqual([])
  })

  test('shows invisible characters of a hostile text as escapes', async () => {
    const { ask, human } = world()
    void ask(form(FORM, 'Your bank\u202e asks')).catch(() => {})
    expect((await human.next()).prompt).toContain('\\u{202e}')
  })
})

describe('a page of a server', () => {
  test('is shown with its host, and opened only after the user agreed [M5.2]', async () => {
    const { ask, human, opened } = world()
    const asking = ask(page('https://github.com/login?x=1'))
    const question = await human.next()
    expect(question).toMatchObject({
      prompt: 'GitHub asks you to open a page of github.com:\n\nSign in',
      args: { address: 'https://github.com/login?x=1' },
      request: { labels: { approve: 'Continue to github.com' }, facts: [{ value: 'github.com' }] },
    })
    expect(opened).toEqual([])
    await human.approve(question)
    expect(await asking).toEqual({ action: 'accept' })
    expect(opened).toMatchObject([{ url: 'https://github.com/login?x=1', host: 'github.com' }])
  })

  test('that the user denies is declined and not opened', async () => {
    const { ask, human, opened } = world()
    const asking = ask(page('https://github.com/login'))
    await human.deny(await human.next())
    expect(await asking).toEqual({ action: 'decline' })
    expect(opened).toEqual([])
  })

  test('with a host of look-alike letters is shown in punycode, with a warning and high risk [M5.3]', async () => {
    const { ask, human } = world()
    void ask(page('https://githu\u0432.com/login')).catch(() => {})
    expect((await human.next()).request).toMatchObject({
      prompt: expect.stringContaining('xn--githu-lwe.com'),
      risk: 'high',
      facts: [{ value: 'xn--githu-lwe.com' }, { tone: 'danger' }],
    })
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://github.com/',
    'https://github.com@evil.example/',
    '/relative',
    5,
  ])('at %s is declined without a question [M5.4]', async (url) => {
    const { ask, human } = world()
    expect(await ask(page(url))).toMatchObject({ action: 'decline' })
    expect(await human.waiting()).toEqual([])
  })

  test('is declined by a host that opens no pages', async () => {
    const { onOpenPage: _none, ...options } = { ...CALL, onOpenPage: undefined }
    expect(await elicitation(open(), options)(page('https://github.com/'))).toMatchObject({ action: 'decline' })
  })
})

describe('elicitation requests that are repeated', () => {
  test('after a crash receive the recorded answer', async () => {
    const { ask, again, human } = world()
    const asking = ask(form())
    await human.fill(await human.next(), { branch: 'main' })
    const answer = await asking
    expect(await again()(form())).toEqual(answer)
    expect(await human.waiting()).toEqual([])
  })

  test('within one call are separate questions', async () => {
    const { ask, human } = world()
    const both = Promise.all([ask(form()), ask(form())])
    await human.fill(await human.next(), { branch: 'one' })
    await human.fill(await human.next(), { branch: 'two' })
    const branches = (await both).map(({ content }) => content?.branch)
    expect(branches.sort()).toEqual(['one', 'two'])
  })

  test('by another user are rejected with session_owner_mismatch', async () => {
    const { ask, human, holdpoint } = world()
    void ask(form()).catch(() => {})
    await human.next()
    const bob = elicitation(holdpoint, { ...CALL, userId: 'bob' })
    await expect(bob(form())).rejects.toMatchObject({ code: 'session_owner_mismatch' })
  })
})

describe('elicitation with real clients', () => {
  test('works with SDK 1.x, which a server asks during a call', async () => {
    const { ask, human } = world()
    const server = new McpServer1(INFO)
    server.registerTool('push', {}, async () => {
      const { action, content } = await server.server.elicitInput({ message: 'Which branch?', requestedSchema: FORM })
      return { content: [{ type: 'text', text: JSON.stringify({ action, content }) }] }
    })
    const client = new Client1(EDITOR, { capabilities: { elicitation: { form: {}, url: {} } } })
    client.setRequestHandler(ElicitRequestSchema, (request, extra) => ask(request, extra))
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await server.connect(ours)
    await client.connect(theirs)
    onTestFinished(() => client.close())
    const calling = client.callTool({ name: 'push' })
    await human.fill(await human.next(), { branch: 'main' })
    expect((await calling).content).toMatchObject([{ text: '{"action":"accept","content":{"branch":"main"}}' }])
  })

  /** A server of 2026-07-28 over HTTP, without a port. */
  const fetchOf = () => {
    const handler = createMcpHandler(() => {
      const server = new McpServer(INFO)
      server.registerTool('push', { inputSchema: z.object({}) }, async (_input, ctx) => {
        const answer = ctx.mcpReq.inputResponses?.branch
        if (!answer) {
          const branch = inputRequired.elicit({ mode: 'form', message: 'Which branch?', requestedSchema: FORM })
          return inputRequired({ inputRequests: { branch } })
        }
        return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
      })
      return server
    })
    return (input: string | URL | Request, init?: RequestInit) => handler.fetch(new Request(input, init))
  }

  test('works with SDK 2.x, whose call ends at the question and is sent again', async () => {
    const { ask, human } = world()
    const client = new v2.Client(EDITOR, {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: { elicitation: { form: {}, url: {} } },
    })
    client.setRequestHandler('elicitation/create', (request, context) => ask(request, context))
    const fetch = fetchOf()
    await client.connect(new v2.StreamableHTTPClientTransport(new URL('https://tools.example.com/mcp'), { fetch }))
    onTestFinished(() => client.close())
    const calling = client.callTool({ name: 'push', arguments: {} })
    await human.fill(await human.next(), { branch: 'main' })
    expect((await calling).content).toMatchObject([{ text: '{"action":"accept","content":{"branch":"main"}}' }])
  })

  test('works with @ai-sdk/mcp, whose tools an agent of the AI SDK calls', async () => {
    const { ask, human } = world()
    const transport = { type: 'http' as const, url: 'https://tools.example.com/mcp', fetch: fetchOf() }
    const client = await createMCPClient({ transport, capabilities: { elicitation: {} } })
    onTestFinished(() => client.close())
    client.onElicitationRequest(ElicitationRequestSchema, ask)
    const { push } = await client.tools()
    const calling = push!.execute({}, { toolCallId: 'call-1', messages: [], context: {} })
    const question = await human.next()
    expect(question.request).toMatchObject({ requester: { name: 'GitHub' } })
    await human.fill(question, { branch: 'main' })
    expect(await calling).toMatchObject({
      content: [{ text: '{"action":"accept","content":{"branch":"main"}}' }],
    })
  })

  test("works with a client like Mastra's, which passes the key of a request, its parameters and a signal", async () => {
    const { ask, human } = world()
    // The shape of `inputRequests` of @mastra/mcp 2.0.0. Its client is not installed: it needs all of @mastra/core.
    const inputRequests: (request: { key: string; params: object; signal: AbortSignal }) => Promise<{
      action: 'accept' | 'decline' | 'cancel'
      content?: Record<string, string | number | boolean | string[]>
    }> = ask
    const left = new AbortController()
    const request = { key: 'branch', params: { mode: 'form', ...form().params }, signal: left.signal }
    const asking = inputRequests(request)
    await human.fill(await human.next(), { branch: 'main' })
    expect(await asking).toEqual({ action: 'accept', content: { branch: 'main' } })
    const gone = inputRequests(request)
    await human.next()
    left.abort()
    await expect(gone).rejects.toBeDefined()
  })
})
