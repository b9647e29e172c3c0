import { InteractionRefused } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { expect, test, vi } from 'vitest'
import { recover } from '../../src/engine/upkeep/recover.ts'
import { engineOf } from '../../src/http/mounted.ts'
import { bareKernel } from './support/bare-kernel.ts'
import { ADA, call, open, person } from './support/world.ts'

test('cancelling a run rejects the code that waits, though its handler never returns [R9h.1]', async () => {
  const holdpoint = open()
  const ada = person(holdpoint)
  const context = holdpoint.session('chat', ADA).toolCall(call())
  const told: unknown[] = []
  const waiting = context.requestInteraction({
    type: 'approval',
    prompt: 'Sure?',
    whenUnavailable: 'wait',
    onResponse: (_answer, { signal }) => {
      signal.addEventListener('abort', () => told.push('signalled'))
      return new Promise<never>(() => {})
    },
    onCancel: () => void told.push('onCancel'),
  })
  const rejected = waiting.then(
    () => 'resolved',
    (error) => error,
  )
  await ada.answer(await ada.next(), { action: 'approve' })
  const cancelled = await engineOf(holdpoint).cancelRun(ADA, 'chat', {
    type: 'cancel_run',
    clientId: 't',
    runId: 'run-1',
  })
  expect(cancelled.status).toBe(200)
  const error = await rejected
  expect(error).toBeInstanceOf(InteractionRefused)
  expect(error).toMatchObject({ outcome: 'cancelled' })
  expect(told).toEqual(['signalled', 'onCancel'])
})

test('a client that cancels an unknown run leaves no trace [R9h.4]', async () => {
  const holdpoint = open()
  const session = holdpoint.session('chat', ADA)
  await session.emit({ type: 'content', text: 'x' })
  const before = await person(holdpoint).events()
  const message = { type: 'cancel_run', clientId: 't', runId: 'made-up' } as const
  expect(await engineOf(holdpoint).cancelRun(ADA, 'chat', message)).toMatchObject({ status: 404 })
  expect(await person(holdpoint).events()).toEqual(before)
  expect((await person(holdpoint).snapshot()).runs).toEqual([])
  const context = session.toolCall(call('c', 'made-up'))
  const asked = context.approve({ prompt: 'Sure?', whenUnavailable: 'wait' })
  const ada = person(holdpoint)
  await ada.answer(await ada.next(), { action: 'approve' })
  expect(await asked).toMatchObject({ scope: 'once' })
})

test('the open questions of a session have a byte limit, which rejects with its own code [R9h.2]', async () => {
  const holdpoint = open({ limits: { openQuestionBytes: 20_000 } })
  const session = holdpoint.session('chat', ADA)
  const ask = (n: number) =>
    session
      .toolCall(call(`c${n}`))
      .approve({ prompt: 'Sure?', args: { text: 'x'.repeat(5_000) }, whenUnavailable: 'wait' })
  const asked = [1, 2, 3, 4, 5, 6].map((n) => ask(n).catch((error) => error.code))
  expect(await Promise.race(asked)).toBe('too_many_questions')
  const { interactions } = await person(holdpoint).snapshot()
  expect(interactions.length).toBeLessThan(6)
  expect(JSON.stringify(interactions).length).toBeLessThan(40_000)
})

test('an inbox page has a byte limit, and all pages together contain every question [R9h.3]', async () => {
  const store = memoryStore()
  const holdpoint = open({ store })
  const big = 'x'.repeat(900_000)
  const count = 12
  for (let n = 0; n < count; n++) {
    const context = holdpoint.session(`s${n}`, ADA).toolCall(call())
    void context.approve({ prompt: 'Sure?', args: { big }, whenUnavailable: 'wait' }).catch(() => {})
  }
  const seen: string[] = []
  await vi.waitFor(async () => expect((await store.due('question')).nextDue).toBeGreaterThan(0))
  for (let after: string | undefined, pages = 0; pages < 20; pages++) {
    const page = await engineOf(holdpoint).inbox(ADA, after === undefined ? {} : { after })
    expect(JSON.stringify(page).length).toBeLessThan(5_000_000)
    seen.push(...page.items.map(({ sessionId }) => sessionId))
    after = page.next
    if (after === undefined) break
  }
  expect(new Set(seen).size).toBe(count)
  expect(seen).toHaveLength(count)
})

test('a node whose lease ends implausibly late after the clock was set back is taken over [R9g.2]', async () => {
  const { kernel, clock, store, row } = bareKernel({ timing: { leaseMs: 1_000 } })
  await kernel.ready()
  const until = clock.now() + 3_600_000
  const puts = ['gone', 'alive'].map((id) => ({
    ...{ kind: 'node', id, due: until },
    data: JSON.stringify({ v: 1, d: { until, leaseMs: 1_000 } }),
  }))
  await store.commit({ partition: 'n', puts })
  await recover(kernel)
  expect(await row('node', 'gone', 'n')).not.toBeNull()
  // The one that lives renews its lease, by the clock as it is now.
  const alive = { until: clock.now() + 1_500, leaseMs: 1_000 }
  await store.commit({
    partition: 'n',
    puts: [{ kind: 'node', id: 'alive', due: alive.until, data: JSON.stringify({ v: 1, d: alive }) }],
  })
  await clock.advance(1_100)
  await recover(kernel)
  expect(await row('node', 'gone', 'n')).toBeNull()
  expect(await row('node', 'alive', 'n')).toEqual(alive)
})
