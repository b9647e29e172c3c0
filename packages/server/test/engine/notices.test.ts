import type { AskedNotice, SettledNotice } from '@holdpoint/server'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { faultyStore, testAccounts, testHuman } from '@holdpoint/server/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { HookOptions } from '../../src/engine/api/options.ts'
import { encodeRow } from '../../src/engine/records/row-codec.ts'
import { engineOf } from '../../src/http/mounted.ts'
import { openStore } from '../nodes/open-store.ts'
import { onStores } from '../nodes/places.ts'
import { ADA, BOB, call, person } from './support/world.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const SOON = { timeout: 10_000 }
const none = { onAsked: undefined, onSettled: undefined } as unknown as HookOptions

function suite(make: () => Store) {
  function world(hooks: HookOptions = {}, store = make()) {
    const asked: AskedNotice[] = []
    const settled: SettledNotice[] = []
    const accounts = testAccounts()
    const holdpoint = createHoldpoint({
      store,
      accounts,
      name: crypto.randomUUID(),
      logger: quiet,
      timing: { leaseMs: 300, orphanAfterMs: 50 },
      hooks: {
        onFollowUp: () => {},
        onToolResult: () => {},
        onAsked: (notice) => void asked.push(notice),
        onSettled: (notice) => void settled.push(notice),
        ...hooks,
      },
    })
    onTestFinished(() => holdpoint.close())
    const session = holdpoint.session('chat', ADA)
    const human = testHuman(holdpoint, { ...ADA, accounts, present: false, nextTimeoutMs: 8_000 })
    const ended = async (count = 1) => {
      await vi.waitFor(() => expect(settled.length).toBeGreaterThanOrEqual(count), SOON)
      return settled.map(({ outcome }) => outcome)
    }
    const idle = () =>
      vi.waitFor(async () => expect(await engineOf(holdpoint).store.list('s//chat', 'delivery')).toEqual([]), SOON)
    return { holdpoint, session, human, asked, settled, accounts, store, ended, idle }
  }
  type World = ReturnType<typeof world>
  const wake = { token: 'w-1' }
  const form = { prompt: 'Who?', fields: [{ id: 'name', type: 'text', label: 'Name' }] } as const
  const late = {
    type: 'approval' as const,
    prompt: 'Go?',
    timeoutMs: 20,
    whenUnavailable: 'wait' as const,
    onResponse: () => ({ complete: 1 }),
    onTimeout: () => ({ pending: { message: 'later' } }),
  }

  const ways: [outcome: string, (world: World) => Promise<unknown>][] = [
    [
      'approved',
      async ({ session, human }) => {
        const asking = session.toolCall({ ...call(), wake }).tryApprove({ prompt: 'Go?' })
        await human.approve(await human.next())
        await asking
      },
    ],
    [
      'denied',
      async ({ session, human }) => {
        const asking = session.toolCall({ ...call(), wake }).tryApprove({ prompt: 'Go?' })
        await human.deny(await human.next())
        await asking
      },
    ],
    [
      'submitted',
      async ({ session, human }) => {
        const asking = session.toolCall({ ...call(), wake }).tryAsk(form)
        await human.fill(await human.next(), { name: 'Ada' })
        await asking
      },
    ],
    [
      'declined',
      async ({ session, human }) => {
        const asking = session.toolCall({ ...call(), wake }).tryAsk(form)
        await human.decline(await human.next())
        await asking
      },
    ],
    [
      'connected',
      async ({ session, human }) => {
        const asking = session.toolCall({ ...call(), wake }).tryConnect({ integrations: ['slack'] })
        await human.next()
        await human.connect('slack')
        await asking
      },
    ],
    ['expired', ({ session }) => session.toolCall({ ...call(), wake }).tryApprove({ prompt: 'Go?', timeoutMs: 20 })],
    [
      'expired',
      ({ session }) =>
        session
          .toolCall({ ...call(), wake })
          .requestInteraction({ ...late, onTimeout: () => ({ complete: 'without it' }) }),
    ],
    [
      'cancelled',
      async ({ holdpoint, session, human }) => {
        const asking = session.toolCall({ ...call(), wake }).tryApprove({ prompt: 'Go?' })
        await holdpoint.cancelInteraction((await human.next()).interactionId)
        await asking
      },
    ],
    [
      'cancelled',
      async ({ session, human }) => {
        const asking = session.toolCall({ ...call(), wake }).tryConnect({ integrations: ['slack'] })
        await human.next()
        await session.cancel()
        await asking
      },
    ],
    [
      'superseded',
      async ({ session, human }) => {
        const asking = session.toolCall({ ...call(), wake }).tryApprove({ prompt: 'Go?' })
        await human.next()
        await session.declineWaiting()
        await asking
      },
    ],
    [
      'approved',
      async ({ session, human }) => {
        await session.toolCall({ ...call(), wake }).requestInteraction(late)
        await human.approve(await human.next())
      },
    ],
    [
      'cancelled',
      async ({ session }) => {
        await session.toolCall({ ...call(), wake }).requestInteraction(late)
        await session.cancelRun('run-1')
      },
    ],
  ]
  test.each(ways)('a question that ends as %s sends one settled notice with its wake value', async (outcome, end) => {
    const all = world()
    await end(all)
    expect(await all.ended()).toEqual([outcome])
    await all.idle()
    expect(all.settled).toEqual([
      {
        ...{ tenant: '', sessionId: 'chat', userId: 'ada', ...call() },
        ...{ deliveryId: `${all.settled[0]?.interactionId}.${outcome}`, interactionId: expect.any(String) },
        ...{ kind: expect.any(String), outcome, wake },
      },
    ])
    const { interactionId } = all.settled[0]!
    const record = await all.holdpoint.interactions.get({ interactionId, sessionId: 'chat' })
    expect(record?.status).not.toBe('open')
  })

  test('a handler that throws after an answer sends a second notice: failed', async () => {
    const { session, human, ended, idle } = world()
    const asking = session
      .toolCall(call())
      .requestInteraction({
        ...late,
        timeoutMs: 60_000,
        onResponse: () => {
          throw new Error('no')
        },
      })
      .catch((error) => error)
    await human.approve(await human.next())
    await asking
    expect((await ended(2)).sort()).toEqual(['approved', 'failed'])
    await idle()
  })

  test('a question that is asked again is announced again and names its predecessor', async () => {
    const { session, human, asked, settled, idle } = world()
    const asking = session.toolCall({ ...call(), wake }).requestInteraction({
      ...late,
      timeoutMs: 60_000,
      onResponse: (_answer, { attempt }) => (attempt === 1 ? { reprompt: { error: 'Sure?' } } : { complete: 1 }),
    })
    await human.approve(await human.next())
    const second = await human.next()
    await vi.waitFor(() => expect(asked.at(-1)?.interactionId).toBe(second.interactionId), SOON)
    expect(asked.at(-1)).toMatchObject({ reminder: 0, replaces: expect.any(String), prompt: 'Go?' })
    await human.approve(second)
    await asking
    await idle()
    expect(settled).toMatchObject([
      { outcome: 'approved', wake },
      { outcome: 'approved', wake, interactionId: second.interactionId },
    ])
  })

  test('a question that is asked again after its time-out is announced again', async () => {
    const { session, human, asked, settled, idle } = world()
    let timeouts = 0
    const asking = session.toolCall(call()).requestInteraction({
      ...late,
      onTimeout: () => (++timeouts === 1 ? { reprompt: { timeoutMs: 60_000 } } : { complete: 1 }),
    })
    // The first question may expire before its notice is sent, which leaves the notice out.
    await vi.waitFor(() => expect(asked.at(-1)).toMatchObject({ replaces: expect.any(String) }), SOON)
    await human.approve(await human.next())
    await asking
    await idle()
    expect(settled.map(({ outcome }) => outcome)).toEqual(['expired', 'approved'])
  })

  test('a gate is woken with its value after its process has died', async () => {
    const store = make()
    const shared = { ...store, close: async () => {} }
    const first = faultyStore(shared)
    const dead = world({}, first)
    const gate = (all: World, token: string) =>
      all.session.gate({ ...call(), wake: token }).approve({ rememberAs: 'k', prompt: 'Go?' })
    await expect(gate(dead, 'old')).rejects.toMatchObject({ code: 'interaction_waiting' })
    await expect(gate(dead, 'workflow-7')).rejects.toMatchObject({ code: 'interaction_waiting' })
    first.die()
    const all = world({}, shared)
    onTestFinished(() => store.close())
    await all.human.approve(await all.human.next())
    expect(await all.ended()).toEqual(['approved'])
    expect(all.settled[0]?.wake).toBe('workflow-7')
    expect(await gate(all, 'workflow-7')).toMatchObject({ outcome: 'approved' })
  })

  test('50 answers at once on two nodes send one settled notice, with the winning outcome', async () => {
    const store = make()
    const shared = () => ({ ...store, close: async () => {} })
    onTestFinished(() => store.close())
    const nodes = [world({}, shared()), world({}, shared())]
    const { session, human, holdpoint } = nodes[0]!
    for (let round = 0; round < 3; round++) {
      const asking = session.toolCall(call(`call-${round}`)).tryApprove({ prompt: 'Go?' })
      const question = await human.next()
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          person(nodes[n % 2]!.holdpoint).answer(question.request as never, {
            action: n % 3 === 0 ? 'approve' : 'deny',
          }),
        ),
      )
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      const { outcome } = await asking
      const ids = () => new Set(nodes.flatMap(({ settled }) => settled).map(({ deliveryId }) => deliveryId))
      await vi.waitFor(() => expect(ids().size).toBe(round + 1), SOON)
      expect(ids()).toContain(`${question.interactionId}.${outcome}`)
    }
    await vi.waitFor(() => expect(holdpoint.stats().waiting).toBe(0), SOON)
  })

  test('a reminder is sent until the question is answered, and not afterwards', async () => {
    const asked: AskedNotice[] = []
    const onAsked = (notice: AskedNotice) => void asked.push(notice)
    const { session, human, holdpoint } = world({ onAsked, remindAfterMs: [30, 3_600_000] })
    const asking = session.toolCall(call()).tryApprove({ prompt: 'Go?', audience: ['bob'] })
    const question = await human.next()
    await vi.waitFor(() => expect(asked.map(({ reminder }) => reminder).sort()).toEqual([0, 1]), SOON)
    expect(asked[1]).toMatchObject({ audience: ['bob'], expiresAt: expect.any(Date), present: false })
    await human.approve(question)
    await asking
    const { store } = engineOf(holdpoint)
    const listed = await store.list('s//chat', 'delivery')
    const left = listed.find(({ id }) => id.includes('reminder'))
    expect(left?.id).toBe(`${question.interactionId}.reminder-2`)
    await store.commit({ partition: 's//chat', puts: [{ ...left!, due: 1 }] })
    await holdpoint.tick()
    await vi.waitFor(async () => expect(await store.list('s//chat', 'delivery')).toEqual([]), SOON)
    expect(asked).toHaveLength(2)
  })

  test('a hook that fails is called again with the same deliveryId, and its dead letter is listed', async () => {
    const ids: string[] = []
    const onSettled = ({ deliveryId }: SettledNotice) => {
      ids.push(deliveryId)
      if (ids.length === 1) throw new Error('down')
    }
    const { session, holdpoint } = world({ onSettled, deliveries: { maxAttempts: 1 } })
    await session.toolCall(call()).tryApprove({ prompt: 'Go?', timeoutMs: 20 })
    const dead = async () => (await holdpoint.deliveries.list({ state: 'dead' })).deliveries
    await vi.waitFor(async () => expect(await dead()).toMatchObject([{ type: 'settled', toolCallId: 'call-1' }]), SOON)
    expect(await holdpoint.deliveries.retry(ids[0]!)).toBe(true)
    await vi.waitFor(() => expect(ids).toEqual([ids[0], ids[0]]), SOON)
  })

  test('a question without hooks needs no additional commit and leaves no delivery', async () => {
    const count = async (hooks: HookOptions) => {
      const store = faultyStore(make())
      const { session, human, idle } = world(hooks, store)
      const asking = session.toolCall(call()).tryApprove({ prompt: 'Go?' })
      const question = await human.next()
      let commits = 0
      const { commit } = store
      store.commit = async (item) => {
        if (item.partition === 's//chat') commits++
        return await commit(item)
      }
      await human.approve(question)
      await asking
      await idle()
      return commits
    }
    // The answer with its outcome, and the acknowledgement of its result.
    expect(await count(none)).toBe(await count({ ...none, remindAfterMs: [1] }))
    expect(await count(none)).toBeLessThan(await count({}))
  })

  test('a wake value without a hook is parked until a process has the hook', async () => {
    const store = make()
    const shared = () => ({ ...store, close: async () => {} })
    onTestFinished(() => store.close())
    const without = world(none, shared())
    await without.session.toolCall({ ...call(), wake }).tryApprove({ prompt: 'Go?', timeoutMs: 20 })
    const parked = async () => (await without.holdpoint.deliveries.list({ state: 'parked' })).deliveries
    await vi.waitFor(async () => expect(await parked()).toMatchObject([{ type: 'settled' }]), SOON)
    const all = world({}, shared())
    await all.holdpoint.tick()
    expect(await all.ended()).toEqual(['expired'])
  })

  test('a delivery of an unknown type is left to a newer release, and other deliveries are made', async () => {
    const { holdpoint, session, ended } = world()
    const base = { deliveryId: 'd1', tenant: '', sessionId: 'chat', userId: 'ada', ...call(), at: 1, attempts: 0 }
    const puts = [{ kind: 'delivery', id: 'd1', data: encodeRow({ ...base, type: 'escalated' }), due: 1 }]
    await engineOf(holdpoint).store.commit({ partition: 's//chat', puts })
    await session.toolCall(call()).tryApprove({ prompt: 'Go?', timeoutMs: 20 })
    expect(await ended()).toEqual(['expired'])
    const left = async () =>
      (await engineOf(holdpoint).store.list('s//chat', 'delivery')).map(({ id, version }) => [id, version])
    await expect.poll(left, SOON).toEqual([['d1', 1]])
    expect((await engineOf(holdpoint).store.due('delivery')).rows.map(({ id }) => id)).toEqual(['d1'])
  })

  test('erasing another user does not announce a question that ended before there were hooks', async () => {
    const store = make()
    const shared = () => ({ ...store, close: async () => {} })
    onTestFinished(() => store.close())
    const { holdpoint, session, human } = world(none, shared())
    const asking = session.toolCall(call()).tryApprove({ prompt: 'Go?', audience: ['bob'] })
    await person(holdpoint, 'chat', BOB).answer((await human.next()).request as never, { action: 'deny' })
    await asking
    const hooked = world({}, shared())
    await hooked.holdpoint.eraseUser(BOB)
    await hooked.idle()
    expect(hooked.settled).toEqual([])
  })
}

describe('notices on memory', () => suite(() => memoryStore()))
await onStores('notices', ['sqlite', 'postgres', 'redis'], (makeWorld) => suite(() => openStore(makeWorld().store)))

test('a wake value that is not JSON or is too large is rejected before anything is asked', () => {
  const holdpoint = createHoldpoint({ store: memoryStore() })
  onTestFinished(() => holdpoint.close())
  const session = holdpoint.session('chat', ADA)
  expect(() => session.gate({ ...call(), wake: 'x'.repeat(2_047) })).toThrow(/"wake" has 2049 bytes.*at most 2048/)
  expect(() => session.gate({ ...call(), wake: new Set() as never })).toThrow(/wake/)
  session.gate({ ...call(), wake: 'x'.repeat(2_046) })
})
