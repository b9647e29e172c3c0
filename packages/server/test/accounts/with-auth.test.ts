import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AuthRequiredError } from '@holdpoint/core'
import { createHoldpoint, type Holdpoint, type HoldpointOptions, InteractionRefused } from '@holdpoint/server'
import { accountsFromFunctions } from '@holdpoint/server/accounts'
import { memoryStore } from '@holdpoint/server/memory'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { testHuman } from '@holdpoint/server/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { engineOf } from '../../src/http/mounted.ts'
import { allow, connectAs, createHarness, type Harness } from './support/harness.ts'

// Each attempt is a process of its own.
vi.setConfig({ testTimeout: 40_000 })

const ada = { userId: 'ada' }
const tool = new URL('./support/slack-tool.child.ts', import.meta.url).pathname
const run = promisify(execFile)
let harness: Harness
const open: Holdpoint[] = []
beforeEach(async () => {
  harness = await createHarness()
})
afterEach(async () => {
  for (const holdpoint of open.splice(0)) await holdpoint.close()
  await harness.close()
})

function make(options: HoldpointOptions = {}) {
  const holdpoint = createHoldpoint({ store: memoryStore(), accounts: harness.broker, ...options })
  open.push(holdpoint)
  const call = (id = 'call-1') =>
    holdpoint.session('chat', ada).toolCall({ runId: 'run-1', toolCallId: id, toolName: 'post' })
  return { holdpoint, call, human: testHuman(holdpoint, ada) }
}

/** What `ctx.withAuth` is for: a real command, its tokens in its own environment. */
function command(env: Record<string, string>, ...args: string[]) {
  const { SLACK_ACCESS_TOKEN: _mine, ...rest } = process.env
  const nodeArgs = ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning', tool]
  return run(process.execPath, [...nodeArgs, harness.local.url, ...args], { env: { ...rest, ...env } })
}

/** The person: sees the question, and connects at the service. */
async function connects({ holdpoint, human }: ReturnType<typeof make>) {
  const { request, interactionId } = await human.next({ kind: 'connect' })
  const body = { interactionId, integration: 'slack', returnTo: '/chat/1' }
  const started = await engineOf(holdpoint).connect(ada, 'chat', body)
  const browser = harness.browser('ada')
  await allow(browser, await browser.open((started.body as { url: string }).url), 'ada')
  return request
}

const pending = async ({ holdpoint }: ReturnType<typeof make>) => (await engineOf(holdpoint).inbox(ada, {})).items

describe('withAuth with a command that lacks an account', () => {
  test('asks the user, and runs the command once more with the token in its own environment', async () => {
    const world = make()
    const attempts: number[] = []
    const done = world.call().withAuth(
      async ({ env, attempt }) => {
        attempts.push(attempt)
        return (await command(await env(), 'hello')).stdout
      },
      { integrations: ['slack'] },
    )
    expect(await connects(world)).toMatchObject({
      type: 'auth_needed',
      integrations: ['slack'],
      reason: 'Slack is needed to post',
      causes: { slack: 'missing' },
    })
    expect(await done).toBe('posted 200\n')
    expect(attempts).toEqual([1, 2])
    expect(harness.local.messages).toEqual([{ account: 'ada', channel: '#general', text: 'hello' }])
  })

  test('reports a revoked token, refreshes it without the user, and never uses it again', async () => {
    await connectAs(harness, 'ada')
    const first = await harness.broker.token(ada, 'slack')
    await harness.local.endAccessTokens()
    const used: string[] = []
    const { stdout } = await make()
      .call()
      .withAuth(
        async ({ env }) => {
          const variables = await env()
          used.push(variables.SLACK_ACCESS_TOKEN ?? '')
          return command(variables, 'again')
        },
        { integrations: ['slack'] },
      )
    expect(stdout).toBe('posted 200\n')
    expect(used[0]).toBe(first)
    expect(new Set(used).size).toBe(2)
  })

  test('asks the user to connect again if the service ended the account', async () => {
    await connectAs(harness, 'ada')
    await harness.local.revokeAll()
    const world = make()
    const done = world.call().withAuth(async ({ env }) => command(await env(), 'back'), {
      integrations: ['slack'],
      reason: 'to post the summary',
    })
    expect(await connects(world)).toMatchObject({ reason: 'to post the summary', causes: { slack: 'expired' } })
    expect((await done).stdout).toBe('posted 200\n')
  })

  test('rejects with an error code after the second attempt if the command ignores its token', async () => {
    const world = make()
    let attempts = 0
    const done = world
      .call()
      .withAuth(
        async ({ env, attempt }) => {
          attempts = attempt
          return command(await env(), 'x', '--deaf')
        },
        { integrations: ['slack'] },
      )
      .catch((error: unknown) => error)
    await connects(world)
    expect(await done).toMatchObject({ code: 'auth_still_required', details: { integration: 'slack' } })
    expect(String(await done)).toContain('auth.env()')
    expect(attempts).toBe(2)
  })
})

describe('withAuth and the result of the tool', () => {
  const required = { error: { code: 'AUTH_REQUIRED', integration: 'slack' } }
  const unauthorized = () => Object.assign(new Error('Unauthorized'), { response: { status: 401 } })
  const api = (token: string) =>
    fetch(`${harness.local.url}/api/chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '{}',
    })

  type Kind = (status: number, response: Response) => unknown
  test.each<[string, Kind, unknown]>([
    ['a 401 response', (_status, response) => response, { status: 200 }],
    ['a JSON result', (status) => (status === 401 ? required : { status }), { status: 200 }],
    ['a typed error', (status) => (status === 401 ? Promise.reject(new AuthRequiredError('slack')) : status), 200],
    ['a client library’s error', (status) => (status === 401 ? Promise.reject(unauthorized()) : status), 200],
  ])('%s', async (_name, kind, expected) => {
    await connectAs(harness, 'ada')
    await harness.local.endAccessTokens()
    const ended = await make()
      .call()
      .withAuth(
        async ({ token }) => {
          const response = await api(await token('slack'))
          return kind(response.status, response)
        },
        // Two were declared; the one whose token was handed out is the one that was refused.
        { integrations: ['slack', 'gmail'] },
      )
    if (typeof expected === 'object') expect(ended).toMatchObject(expected as object)
    else expect(ended).toBe(expected)
  })

  test('asks once for each of two accounts, one after the other', async () => {
    const accounts = new Set<string>()
    const world = make({
      accounts: accountsFromFunctions({
        status: (_owner, integration) => ({ state: accounts.has(integration) ? 'connected' : 'missing' }),
        start: () => ({ clientToken: 'x' }),
        token: (_owner, integration) => `token of ${integration}`,
      }),
    })
    const done = world.call().withAuth(async ({ token }) => [await token('slack'), await token('linear')], {
      integrations: ['slack', 'linear'],
    })
    for (const integration of ['slack', 'linear']) {
      const { request } = await world.human.next({ kind: 'connect' })
      expect(request).toMatchObject({ integrations: [integration] })
      accounts.add(integration)
      await world.holdpoint.accounts.changed({ ...ada, integration })
    }
    expect(await done).toEqual(['token of slack', 'token of linear'])
  })

  test('threat 15: does not ask because of file content or an account that the tool did not declare', async () => {
    const world = make()
    const { call } = world
    const json = (integration: string) => JSON.stringify({ error: { code: 'AUTH_REQUIRED', integration } })
    const { stdout } = await call('a').withAuth(() => command({}, json('slack'), '--print'), {
      integrations: ['slack'],
    })
    expect(stdout).toBe(`${json('slack')}\n`)
    const text = await call('b').withAuth(() => json('slack'), { integrations: ['slack'] })
    expect(text).toBe(json('slack'))
    const undeclared = { exitCode: 1, stdout: json('gmail') }
    expect(await call('c').withAuth(() => undeclared, { integrations: ['slack'] })).toBe(undeclared)
    const failed = spawnSync(process.execPath, ['-e', 'console.log("no"); process.exit(1)'])
    expect(await call('d').withAuth(() => failed, { integrations: ['slack'] })).toBe(failed)
    await expect(
      call('e').withAuth(({ token }) => token('gmail' as 'slack'), { integrations: ['slack'] }),
    ).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
    expect(await pending(world)).toEqual([])
  })

  test('passes another error of the tool through', async () => {
    const failure = new Error('the disk is full')
    const done = make()
      .call()
      .withAuth(() => Promise.reject(failure), { integrations: ['slack'] })
    await expect(done).rejects.toBe(failure)
  })
})

test('withAuth does not return a rejected token a second time if the provider cannot refresh', async () => {
  const used: string[] = []
  const { call } = make({
    accounts: accountsFromFunctions({
      status: () => ({ state: 'connected' }),
      start: () => ({ clientToken: 'x' }),
      token: () => 'the only token there is',
    }),
  })
  const done = call().withAuth(
    async ({ token }) => {
      used.push(await token('slack'))
      return new Response('', { status: 401 })
    },
    { integrations: ['slack'] },
  )
  await expect(done).rejects.toMatchObject({ code: 'auth_still_required' })
  expect(used).toHaveLength(1)
})

test('withAuth asks the user to connect again if the service rejects a refreshed token at once', async () => {
  await connectAs(harness, 'ada')
  const { call } = make()
  const refused = () =>
    call().withAuth(async ({ token }) => new Response(await token('slack'), { status: 401 }), {
      integrations: ['slack'],
    })
  await expect(refused()).rejects.toMatchObject({ code: 'auth_still_required' })
  expect(await harness.broker.status(ada, 'slack')).toEqual({ state: 'expired' })
})

test('withAuth rejects like connect if the user does not connect', async () => {
  const world = make()
  const done = world.call().withAuth(({ token }) => token('slack'), { integrations: ['slack'] })
  const refused = expect(done).rejects.toBeInstanceOf(InteractionRefused)
  const { interactionId } = await world.human.next({ kind: 'connect' })
  await world.holdpoint.cancelInteraction(interactionId)
  await refused
})

test('withAuth runs the tool again with the account, without a question, if the process ended while the user connected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hp-with-auth-'))
  const results: unknown[] = []
  const attempts: number[] = []
  const world = make({
    store: sqliteStore({ path: join(folder, 'data.db') }),
    waiting: 'suspend',
    hooks: { onToolResult: ({ result }) => void results.push(result) },
  })
  const post = world.holdpoint.tool({
    name: 'post',
    input: z.object({ text: z.string() }),
    execute: ({ text }, ctx) =>
      ctx.withAuth(
        async ({ env, attempt }) => {
          attempts.push(attempt)
          return (await command(await env(), text)).stdout
        },
        { integrations: ['slack'] },
      ),
  })
  const call = { runId: 'run-1', toolCallId: 'call-1' }
  const ran = await world.holdpoint.session('chat', ada).runTool(post, { text: 'later' }, call)
  expect(ran).toMatchObject({ status: 'suspended' })
  await connects(world)
  await expect.poll(() => results, { timeout: 20_000 }).toEqual(['posted 200\n'])
  // The first execution stopped at its question; the second one started again, with the account.
  expect(attempts).toEqual([1, 1])
  expect(await pending(world)).toEqual([])
  await world.holdpoint.close()
  open.splice(0)
  rmSync(folder, { recursive: true, force: true })
})

test('withAuth rejects with accounts_not_configured if the server has no accounts', async () => {
  const holdpoint = createHoldpoint({ store: memoryStore() })
  open.push(holdpoint)
  const ctx = holdpoint.session('chat', ada).toolCall({ runId: 'r', toolCallId: 'c', toolName: 'post' })
  await expect(ctx.withAuth(() => 1, { integrations: ['slack'] })).rejects.toMatchObject({
    code: 'accounts_not_configured',
  })
})
