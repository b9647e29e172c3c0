import { request as forward } from 'node:http'
import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import { testHuman } from '@holdpoint/server/testing'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../http/support/servers.ts'
import { createHarness, type Harness } from './support/harness.ts'

const ada = { userId: 'ada' }
let harness: Harness
beforeEach(async () => {
  harness = await createHarness()
})
afterEach(() => harness.close())

/** An app on a real server, and a proxy in front of it that sends the server's own Host, as development servers do. */
async function app(options: HoldpointOptions = {}) {
  const logged: { message: string; fields: unknown }[] = []
  const warn = (message: string, fields: unknown) => void logged.push({ message, fields })
  const holdpoint = createHoldpoint({
    store: memoryStore(),
    accounts: harness.broker,
    authenticate: () => ada,
    logger: { debug() {}, info() {}, warn, error: warn },
    ...options,
  })
  onTestFinished(() => holdpoint.close())
  const server = await listen(toNodeHandler(holdpoint))
  onTestFinished(() => server.stop())
  const target = new URL(server.url)
  const proxy = await listen((request, response) => {
    const { method, url, headers } = request
    const onward = forward(
      { port: target.port, method, path: url, headers: { ...headers, host: target.host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      },
    )
    request.pipe(onward)
  })
  onTestFinished(() => proxy.stop())
  const call = holdpoint.session('chat', ada).toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'post' })
  const asked = call.connect({ integrations: ['slack'] })
  asked.catch(() => {})
  const { interactionId } = await testHuman(holdpoint, ada).next({ kind: 'connect' })
  const connect = async (url: string, headers: Record<string, string>, returnTo: string) => {
    const response = await fetch(`${url}/sessions/chat/connect`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ interactionId, integration: 'slack', returnTo }),
    })
    return { status: response.status, body: await response.json() }
  }
  return { server, proxy, connect, logged }
}

const started = { status: 200, body: { url: expect.stringContaining('/connections/authorize') } }

describe('one list of allowed origins', () => {
  test('a page of another allowed origin connects an account, and the user returns to it [N5.2]', async () => {
    const { server, connect } = await app({ security: { allowedOrigins: ['https://ui.example'] } })
    const origin = 'https://ui.example'
    expect(await connect(server.url, { origin }, `${origin}/chat/1`)).toMatchObject(started)
  })

  test('a page behind a proxy that rewrites Host connects an account, and the user returns to it [N5.3]', async () => {
    const { proxy, connect } = await app()
    const { origin } = new URL(proxy.url)
    const headers = { origin, 'sec-fetch-site': 'same-origin' }
    expect(await connect(proxy.url, headers, `${origin}/chat/1`)).toMatchObject(started)
  })

  test('[HP-SEC-11] a returnTo of another origin is rejected with its own code, and the log names the option [N5.1]', async () => {
    const { proxy, connect, logged } = await app()
    const { origin } = new URL(proxy.url)
    const headers = { origin, 'sec-fetch-site': 'same-origin' }
    expect(await connect(proxy.url, headers, 'https://evil.example/chat')).toMatchObject({
      status: 400,
      body: { error: { code: 'return_not_allowed', path: 'returnTo' } },
    })
    expect(logged).toEqual([
      { message: expect.stringContaining('allowedOrigins'), fields: { origin: 'https://evil.example' } },
    ])
  })
})
