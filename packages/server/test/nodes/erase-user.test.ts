import { createHoldpointClient, sse } from '@holdpoint/core'
import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import type { Store } from '@holdpoint/server/store'
import { faultyStore } from '@holdpoint/server/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, call, person } from '../engine/support/world.ts'
import { listen } from '../http/support/servers.ts'
import { openStore } from './open-store.ts'
import { onStores } from './places.ts'

/** Names that JSON and keys have to escape, so that no search misses them. */
const BOSS = { userId: 'boss/7 "ü"', name: 'Grace Boss' }
const NAMES = /Grace|boss/
const KINDS = ['session', 'question', 'ended', 'call', 'idle', 'run', 'named'] as const

async function node(store: Store) {
  const holdpoint = createHoldpoint({
    store,
    authenticate: (request) => ({ userId: request.headers.get('x-user') ?? '' }),
  })
  const running = await listen(toNodeHandler(holdpoint))
  onTestFinished(async () => {
    await running.stop()
    await holdpoint.close()
  })
  return { holdpoint, url: running.url }
}

/** A session of ada's that names the boss everywhere: who answered, who may, what a tool made of it. */
async function namedEverywhere(holdpoint: Holdpoint) {
  const session = holdpoint.session('chat', ADA)
  const asks = { prompt: 'Go?', audience: [BOSS.userId, 'carol'] }
  const tool = holdpoint.tool({
    name: 'spend',
    input: z.object({ by: z.object({ userId: z.string() }) }),
    execute: async (_input, ctx) => ({ approval: await ctx.approve({ ...asks, rememberAs: 'spend' }) }),
  })
  const ada = person(holdpoint)
  const boss = person(holdpoint, 'chat', BOSS)
  const bare = session.toolCall(call('bare')).tryApprove(asks)
  await boss.answer(await ada.next(), { action: 'approve' })
  expect(await bare).toMatchObject({ respondedBy: BOSS })
  const registered = session.runTool(
    tool,
    { by: { userId: 'cost center' } },
    { runId: 'run-1', toolCallId: 'registered' },
  )
  await boss.answer(await ada.next(), { action: 'approve' })
  await registered
  const own = session.toolCall(call('own')).tryApprove(asks)
  await ada.answer(await ada.next(), { action: 'deny' })
  await own
  await session.emit({ type: 'content', text: 'after all that' })
  const open = session.toolCall(call('open')).tryApprove({ ...asks, timeoutMs: 600_000 })
  return { ada, boss, open, asked: await ada.next() }
}

const partitionOf = (holdpoint: Holdpoint) =>
  engineOf(holdpoint).partition({ tenant: '', sessionId: 'chat', userId: ADA.userId })

async function everythingIn(holdpoint: Holdpoint): Promise<string> {
  const { store } = engineOf(holdpoint)
  const partition = partitionOf(holdpoint)
  const rows = await Promise.all(KINDS.map((kind) => store.list(partition, kind)))
  return JSON.stringify([rows, await store.readLog(partition, { from: 1, limit: 1_000 })])
}

function erasing(stores: () => [Store, Store]): void {
  test('an erased name appears in no snapshot, log or long poll of any node', async () => {
    const [here, there] = stores()
    const { holdpoint } = await node(here)
    const other = await node(there)
    const { ada, boss, open, asked } = await namedEverywhere(holdpoint)
    await holdpoint.session('of the boss', BOSS).emit({ type: 'content', text: 'mine' })
    const events = await ada.events()
    expect(JSON.stringify(events)).toMatch(NAMES)
    const client = createHoldpointClient({
      sessionId: 'chat',
      transport: sse({ url: other.url, headers: { 'x-user': 'ada', authorization: 'Bearer of-ada' } }),
    })
    onTestFinished(() => client.close())
    client.subscribe(() => {})
    const seen = () => JSON.stringify([...client.getSnapshot().interactions.values()])
    await vi.waitFor(() => expect(seen()).toMatch(NAMES), 10_000)

    expect(await holdpoint.eraseUser(BOSS)).toEqual({ sessions: 1 })

    // A page that was open all the time reloads its state by itself.
    await vi.waitFor(() => expect(seen()).not.toMatch(NAMES), 20_000)
    expect(client.getSnapshot().interactions.size).toBe(4)
    const get = async (path: string) => {
      const headers = { 'x-user': 'ada', accept: 'application/json' }
      return await (await fetch(`${other.url}/sessions/chat${path}`, { headers })).text()
    }
    expect(await get('')).not.toMatch(NAMES)
    expect(await get('/events?wait=0')).not.toMatch(NAMES)
    expect(await everythingIn(holdpoint)).not.toMatch(NAMES)
    const after = await ada.events()
    expect(after.map(({ type }) => type)).toEqual(events.map(({ type }) => type))
    expect(after.filter(({ type }) => type === 'interaction_response').map(({ respondedBy }) => respondedBy)).toEqual([
      { clientId: 'erased' },
      { clientId: 'erased' },
      { ...ADA, clientId: 'tab' },
    ])
    expect(JSON.stringify(after)).toContain('cost center')
    expect(after.find(({ type }) => type === 'interaction_request')).toMatchObject({ audience: ['carol'] })
    // The snapshot is still made of what the log says.
    for (const { request, response } of (await ada.snapshot()).interactions) {
      expect(after).toContainEqual(request)
      if (response) expect(after).toContainEqual(response)
    }
    // An erased user may no longer answer, and all other work continues.
    expect(await boss.answer(asked, { action: 'approve' })).toMatchObject({ status: 404 })
    // The question differs without the name: a card that still shows the old one reads it again.
    expect(await ada.answer(asked, { action: 'approve' })).toMatchObject({
      status: 409,
      body: { error: { code: 'shown_differs' } },
    })
    const anew = (await ada.pending()).find(({ interactionId }) => interactionId === asked.interactionId)
    expect(await ada.answer(anew ?? asked, { action: 'approve' })).toMatchObject({ status: 200 })
    expect(await open).toMatchObject({ outcome: 'approved' })
  }, 60_000)
}

describe('erasing a user on memory', () => {
  const shared = memoryStore()
  erasing(() => [shared, shared])

  test('an erasure that was interrupted at any call to the store is completed by the next erasure', async () => {
    for (let failing = 1; ; failing++) {
      const store = faultyStore(memoryStore())
      const { holdpoint } = await node(store)
      await namedEverywhere(holdpoint)
      const before = store.calls
      store.onCall(({ number }) => (number === before + failing ? 'fail' : undefined))
      const broken = await holdpoint.eraseUser(BOSS).then(
        () => false,
        () => true,
      )
      store.onCall(() => undefined)
      await holdpoint.eraseUser(BOSS)
      expect(await everythingIn(holdpoint)).not.toMatch(NAMES)
      if (!broken && failing > 20) break
      if (failing > 200) throw new Error('this never ends')
    }
  }, 60_000)
})

await onStores('erasing a user', ['sqlite', 'postgres', 'redis'], (world) => {
  erasing(() => {
    const { store } = world()
    return [openStore(store), openStore(store)]
  })
})
