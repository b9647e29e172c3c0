import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWorld, seconds, VAULT_KEY, type World } from '../../test/accounts/support/world.ts'
import { type Environment, systemEnvironment } from '../base/environment.ts'
import { createGuardedFetch } from '../security/outbound/guarded-fetch.ts'
import { nextStep, retryAfterOf } from './delivery-decision.ts'
import { createWebhookReceiver } from './receive.ts'
import { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from './send.ts'

let world: World
const closing: { close(): unknown }[] = []
beforeEach(() => {
  world = createWorld()
})
afterEach(() => {
  for (const one of closing.splice(0)) one.close()
})

/** A real receiver over HTTP, which first answers with the given statuses. */
async function receiving(statuses: number[], headers: Record<string, string> = {}) {
  const receiver = createWebhookReceiver({ ...world, vaultKeys: [VAULT_KEY], url: 'http://127.0.0.1/webhook' })
  const got: unknown[] = []
  const ids: string[] = []
  const server = createServer(async (request, response) => {
    ids.push(String(request.headers['webhook-id']))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const status = statuses.shift()
    if (status) return response.writeHead(status, headers).end()
    const token = new URL(request.url ?? '', 'http://x').searchParams.get('token')
    const header = (name: string) => (request.headers[name] as string | undefined) ?? null
    await receiver
      .receive({ token, header, body: Buffer.concat(chunks) }, ({ payload }) => got.push(payload))
      .then(
        () => response.end(),
        () => response.writeHead(401).end(),
      )
  })
  closing.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const target = async (sessionId: string) => {
    const { token, secret } = await receiver.issue({ sessionId })
    return { url: `http://127.0.0.1:${port}/webhook?token=${token}`, secrets: [secret] }
  }
  return { got, ids, target }
}

function sending(target: WebhookSenderOptions['target'], more: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const fetch = createGuardedFetch({ allowLoopback: true, timeoutMs: 2_000 })
  const sender = createWebhookSender({
    ...world,
    vaultKeys: [VAULT_KEY],
    target,
    fetch,
    delaysMs: [1_000, 5_000],
    ...more,
  })
  closing.push(sender)
  return sender
}

describe('sending a webhook', () => {
  test('signs and authorizes it, and leaves no row', async () => {
    const { got, target } = await receiving([])
    const sender = sending(target)
    expect(await sender.send('task-42', { type: 'text', text: 'Done.' })).toBe(true)
    expect(got).toEqual([{ type: 'text', text: 'Done.' }])
    expect(await sender.tick()).toBe(0)
    expect(await sender.deadLetters()).toEqual({ letters: [] })
  })

  test('repeats a failed delivery under the same id, from any process', async () => {
    const { got, ids, target } = await receiving([500, 429])
    expect(await sending(target).send('task-42', { n: 1 })).toBe(false)
    const other = sending(target)
    expect(await other.tick()).toBe(0)
    expect(ids).toHaveLength(1)
    world.advance(seconds(2))
    await other.tick()
    world.advance(seconds(7))
    expect(await other.tick()).toBe(1)
    expect(new Set(ids).size).toBe(1)
    expect(got).toEqual([{ n: 1 }])
  })

  test('repeats it after a pause without a call of the host', async () => {
    const { got, target } = await receiving([503])
    await sending(target, { delaysMs: [20] }).send('task-42', {})
    await expect.poll(() => got.length, { timeout: 5_000 }).toBe(1)
  })

  test('repeats it also if timers fire before the clock of the store', async () => {
    const { got, target } = await receiving([503])
    const environment = systemEnvironment()
    // As Node's own do, by a millisecond; here by more, so that it happens every time.
    const early: Environment = {
      ...environment,
      setTimeout: (callback, ms, keepAlive) => environment.setTimeout(callback, ms * 0.5, keepAlive),
      now: () => environment.now() * 2,
    }
    await sending(target, { delaysMs: [40], environment: early }).send('task-42', {})
    await expect.poll(() => got.length, { timeout: 5_000 }).toBe(1)
  })

  test('happens once if five processes deliver at once', async () => {
    const { ids, target } = await receiving([500])
    await sending(target).send('task-42', {})
    world.advance(seconds(2))
    await Promise.all(Array.from({ length: 5 }, () => sending(target).tick()))
    expect(ids).toHaveLength(2)
  })

  test('continues in another process after the lease of a dead one has expired, and the id is accepted once', async () => {
    const { got, target } = await receiving([])
    const dead = sending(target, { fetch: () => new Promise<Response>(() => {}) })
    void dead.send('task-42', { n: 1 })
    await new Promise((done) => setTimeout(done, 30))
    const other = sending(target)
    expect(await other.tick()).toBe(0)
    world.advance(seconds(61))
    expect(await other.tick()).toBe(1)
    expect(got).toEqual([{ n: 1 }])
  })

  test('ends in a dead letter after the last attempt or a useless repeat, which can be retried or dropped', async () => {
    const { got, target } = await receiving([500, 500, 500, 410])
    const sender = sending(target)
    await sender.send('task-42', { n: 1 }, 'msg_a')
    for (let i = 0; i < 2; i++) {
      world.advance(seconds(10))
      await sender.tick()
    }
    await sender.send('task-42', { n: 2 }, 'msg_b')
    const { letters } = await sender.deadLetters()
    expect(letters.sort((a, b) => a.id.localeCompare(b.id))).toEqual([
      { id: 'msg_a', destination: 'task-42', attempts: 3, reason: 'status 500' },
      { id: 'msg_b', destination: 'task-42', attempts: 1, reason: 'status 410' },
    ])
    expect(await sender.redeliver('msg_a')).toBe(true)
    await sender.discard('msg_b')
    expect(await sender.deadLetters()).toEqual({ letters: [] })
    expect(got).toEqual([{ n: 1 }])
    await expect(sender.redeliver('msg_b')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('ends in a dead letter for a forbidden or a removed address [T27.4]', async () => {
    const inner = sending(() => ({ url: 'https://169.254.169.254/', secrets: [`whsec_${'A'.repeat(44)}`] }))
    expect(await inner.send('x', {})).toBe(false)
    expect((await inner.deadLetters()).letters).toMatchObject([{ reason: 'url_not_allowed' }])
    world = createWorld()
    const gone = sending(() => null)
    await gone.send('x', {})
    expect((await gone.deadLetters()).letters).toMatchObject([{ reason: 'no_target' }])
  })

  test('encrypts pending messages, and logs contain ids and outcomes only [T19.3]', async () => {
    const { target } = await receiving([500])
    const said: string[] = []
    const log = (message: string, facts?: Record<string, unknown>) => said.push(message + JSON.stringify(facts))
    const sender = sending(target, { logger: { debug: log, info: log, warn: log, error: log } })
    await sender.send('task-42', { text: 'very private' })
    expect(world.dump()).not.toContain('very private')
    expect(said.join()).toContain('status 500')
    expect(said.join()).not.toMatch(/very private|token=|whsec_|127\.0\.0\.1/)
  })
})

describe('the next step of a delivery', () => {
  const delays = [1_000, 5_000]
  test.each([
    [200, 'done'],
    [204, 'done'],
    [301, 'retry'],
    [400, 'dead'],
    [401, 'retry'],
    [404, 'dead'],
    [408, 'retry'],
    [409, 'retry'],
    [410, 'dead'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ])('after status %i is: %s', (status, kind) => {
    expect(nextStep({ kind: 'answered', status }, 1, delays, 0.5).kind).toBe(kind)
  })

  test('is delayed by growing, randomized pauses, which are not shorter than requested', () => {
    const failed = { kind: 'failed', reason: 'unreachable' } as const
    expect(nextStep(failed, 1, delays, 0)).toEqual({ kind: 'retry', afterMs: 800 })
    expect(nextStep(failed, 2, delays, 1)).toEqual({ kind: 'retry', afterMs: 6_000 })
    expect(nextStep(failed, 3, delays, 0)).toEqual({ kind: 'dead' })
    const asked = { kind: 'answered', status: 503, retryAfterMs: 90_000 } as const
    expect(nextStep(asked, 1, delays, 0.5)).toEqual({ kind: 'retry', afterMs: 90_000 })
  })

  test('follows Retry-After in seconds or as a date, and ignores an invalid one', () => {
    expect(retryAfterOf('7', 0)).toBe(7_000)
    expect(retryAfterOf(new Date(5_000).toUTCString(), 0)).toBe(5_000)
    expect(retryAfterOf('999999999', 0)).toBe(3_600_000)
    for (const header of [null, '', '-1', 'soon', '0']) expect(retryAfterOf(header, 0)).toBeUndefined()
  })
})

test('a backlog of webhooks leaves 32 at a time [R9i.2]', async () => {
  let most = 0
  let isWaiting = false
  const open = new Set<() => void>()
  // Nothing ends while another request can still begin: the requests of a full turn end together.
  const endTogether = async () => {
    isWaiting = true
    for (let before = -1; before !== open.size; ) {
      before = open.size
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    most = Math.max(most, open.size)
    isWaiting = false
    for (const end of open) end()
    open.clear()
  }
  const sender = createWebhookSender({
    ...world,
    vaultKeys: [VAULT_KEY],
    target: () => ({ url: 'https://example.com', secrets: ['whsec_c2VjcmV0IHRoYXQgaXMgbG9uZyBlbm91Z2ghISE='] }),
    fetch: async () => {
      if (!isWaiting) void endTogether()
      await new Promise<void>((resolve) => open.add(resolve))
      return new Response(null, { status: 200 }) as never
    },
  })
  closing.push(sender)
  const sent = await Promise.all(Array.from({ length: 100 }, (_, n) => sender.send('task', { n })))
  expect([sent.every(Boolean), most]).toEqual([true, 32])
})
