import { createHoldpoint, type Holdpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { openStore } from './open-store.ts'
import { onStores } from './places.ts'

/** The history of an inbox, on each of the four stores. */
describe('history on memory', () => historyOn(() => memoryStore()))
await onStores('history', ['sqlite', 'postgres', 'redis'], (world) => historyOn(() => openStore(world().store)))

function historyOn(makeStore: () => Store): void {
  function open(options: HoldpointOptions = {}, store = makeStore()): Holdpoint {
    const holdpoint = createHoldpoint({ store, ...options })
    onTestFinished(() => holdpoint.close())
    return holdpoint
  }

  test('[HP-INB-1] pages list each settled question once, newest first, while other questions settle', async () => {
    const holdpoint = open()
    const before: string[] = []
    for (let n = 0; n < 24; n++) before.push(await settle(holdpoint, `chat-${n % 5}`, `early-${n}`))
    const waiting = Array.from({ length: 4 }, (_, n) => ask(holdpoint, `chat-${n}`, `late-${n}`))
    const seen: string[] = []
    let pages = 0
    for (let after: string | undefined; ; pages++) {
      const page = await engineOf(holdpoint).settled(ADA, { limit: 5, ...(after !== undefined && { after }) })
      seen.push(...page.items.map(idOf))
      after = page.next
      if (after === undefined) break
      // Between two pages one question that waited settles, and a new one is asked and settles.
      await waiting[pages]?.then((one) => answer(holdpoint, one))
      await settle(holdpoint, 'chat-new', `during-${pages}`)
    }
    expect(pages).toBeGreaterThan(3)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => before.includes(id))).toEqual([...before].sort())
    expect(seen).toEqual([...seen].sort())
    const again = await engineOf(holdpoint).settled(ADA, {})
    expect(again.items.length).toBe(24 + pages + Math.min(pages, 4))
    expect(again.items.every(({ interaction }) => interaction.response ?? interaction.closed)).toBe(true)
  })

  test('[HP-INB-1] pages of a user with many sessions list each question once, and read a few sessions each', async () => {
    const store = makeStore()
    const readable = { security: { authorize: () => true } }
    const holdpoint = open(readable, store)
    const asked = new Map<string, string>()
    for (let n = 0; n < 40; n++) {
      const session = n % 11
      // Some sessions belong to another user and name this one.
      const owner = session % 4 === 3 ? { userId: 'eve' } : ADA
      asked.set(await settle(holdpoint, `chat-${session}`, `n-${n}`, owner, ['ada']), `chat-${session}`)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await settle(holdpoint, 'empty-handed', 'hers', { userId: 'eve' }, ['bob'])
    const listed = vi.spyOn(store, 'list')
    const seen: { id: string; sessionId: string }[] = []
    for (let after: string | undefined; ; ) {
      listed.mockClear()
      const page = await engineOf(holdpoint).settled(ADA, { limit: 3, sessions: 4, ...(after && { after }) })
      const partitions = new Set(listed.mock.calls.map(([partition]) => partition))
      expect(partitions.size).toBeLessThanOrEqual(4)
      seen.push(...page.items.map((item) => ({ id: idOf(item), sessionId: item.sessionId })))
      after = page.next
      if (after === undefined) break
      // A session that is created meanwhile moves no group.
      await settle(holdpoint, `new-${seen.length}`, 'new')
    }
    expect(seen.map(({ id }) => id).toSorted()).toEqual([...asked.keys()].toSorted())
    for (const first of [7, 3, 0]) {
      const group = new Set(Array.from({ length: first === 0 ? 3 : 4 }, (_, n) => `chat-${first + n}`))
      const ids = seen.filter(({ sessionId }) => group.has(sessionId)).map(({ id }) => id)
      expect(ids).toEqual([...ids].sort())
    }
    expect(seen.map(({ sessionId }) => Math.floor((Number(sessionId.slice(5)) + 1) / 4))).toEqual(
      seen.map(({ sessionId }) => Math.floor((Number(sessionId.slice(5)) + 1) / 4)).toSorted((a, b) => b - a),
    )
  })

  test('[HP-INB-2] a history has no question of another user, of another tenant, or that still waits', async () => {
    const holdpoint = open()
    const mine = await settle(holdpoint, 'mine', 'a')
    await settle(holdpoint, 'hers', 'b', { userId: 'eve' }, ['ada'])
    await settle(holdpoint, 'elsewhere', 'c', { userId: 'ada', tenant: 'other' })
    await ask(holdpoint, 'mine', 'open')
    expect(await engineOf(holdpoint).settled(ADA, {})).toMatchObject({ items: [{ sessionId: 'mine' }] })
    expect((await engineOf(holdpoint).settled(ADA, {})).items.map(idOf)).toEqual([mine])
    expect(await engineOf(holdpoint).settled({ userId: 'bob' }, {})).toEqual({ items: [] })
  })

  test('[HP-INB-2] an audience finds a settled question in its history only if the host lets it read', async () => {
    const readable = new Set(['shared'])
    const holdpoint = open({
      security: {
        authorize: ({ principal, owner, action, sessionId }) =>
          principal.userId === owner || (action === 'read' && readable.has(sessionId)) || action === 'respond',
      },
    })
    const eve = { userId: 'eve' }
    for (let n = 0; n < 6; n++) await settle(holdpoint, 'shared', `without-${n}`, eve)
    const shared = await settle(holdpoint, 'shared', 'with', eve, ['ada'])
    const own = await settle(holdpoint, 'mine', 'own')
    await settle(holdpoint, 'private', 'hidden', eve, ['ada'])
    const found: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await engineOf(holdpoint).settled(ADA, { limit: 1, ...(after !== undefined && { after }) })
      found.push(...page.items.map(idOf))
      after = page.next
      if (after === undefined) break
    }
    expect(found).toEqual([own, shared])
    readable.delete('shared')
    expect((await engineOf(holdpoint).settled(ADA, {})).items.map(idOf)).toEqual([own])
  })
}

const ADA = { userId: 'ada' }
type Asked = { sessionId: string; principal: { userId: string; tenant?: string }; interactionId: string }

async function ask(
  holdpoint: Holdpoint,
  sessionId: string,
  toolCallId: string,
  principal: Asked['principal'] = ADA,
  audience: string[] = [],
): Promise<Asked> {
  const context = holdpoint.session(sessionId, principal).toolCall({ runId: 'run', toolCallId, toolName: 'tool' })
  const outcome = context.tryApprove({ prompt: 'Go?', whenUnavailable: 'wait', audience })
  outcome.catch(() => {})
  const tenant = principal.tenant ?? ''
  for (;;) {
    const { interactions } = await holdpoint.interactions.list({ tenant, sessionId })
    const found = interactions.find((one) => one.toolCallId === toolCallId)
    if (found) return { sessionId, principal, interactionId: found.interactionId }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

async function answer(holdpoint: Holdpoint, { sessionId, principal, interactionId }: Asked): Promise<void> {
  const ids = { interactionId, answerId: interactionId, clientId: 'test' }
  const accepted = await holdpoint.answer({ principal, sessionId, ...ids, answer: { action: 'deny' } })
  expect(accepted).toMatchObject({ status: 'accepted' })
  const { tenant = '' } = principal
  await expect
    .poll(async () => (await holdpoint.interactions.get({ tenant, sessionId, interactionId }))?.outcome)
    .toBeDefined()
}

async function settle(...asked: Parameters<typeof ask>): Promise<string> {
  const one = await ask(...asked)
  await answer(asked[0], one)
  return one.interactionId
}

const idOf = ({ interaction }: { interaction: { request: object } }) =>
  (interaction.request as { interactionId: string }).interactionId
