import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStore } from '@holdpoint/server/memory'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Put } from '@holdpoint/server/store'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { heldStore } from './support/held-store.ts'
import { until } from './support/nodes.ts'
import { ADA, call, open, person } from './support/world.ts'

/**
 * Races that hardly ever happen by chance: one process is held at the worst moment until the other one has finished.
 */

const WAITS = { type: 'approval', whenUnavailable: 'wait' } as const

test('a question that is asked while its run is being cancelled is cancelled with it', async () => {
  const backing = memoryStore()
  const slow = heldStore({ ...backing, close: async () => {} })
  const [canceller, asker] = [open({ store: slow }), open({ store: backing })]
  const session = asker.session('chat', ADA)
  const first = session.toolCall(call('first')).tryApprove({ prompt: 'First?' })
  await person(asker).pending(1)
  // It has read what is open, and has not written yet.
  const commit = slow.hold('commit', 'before', ({ puts }) => puts?.some(({ kind }) => kind === 'idle') ?? false)
  const cancelling = canceller.session('chat', ADA).cancelRun('run-1')
  await commit.reached
  const second = session.toolCall(call('second')).tryApprove({ prompt: 'Second?' })
  await person(asker).pending(2)
  commit.release()
  await cancelling
  expect(await testHuman(asker, ADA).waiting()).toEqual([])
  expect(await Promise.all([first, second])).toEqual([{ outcome: 'cancelled' }, { outcome: 'cancelled' }])
})

test('a read that a reprompt overtakes does not handle the old answer again', async () => {
  const store = heldStore(memoryStore())
  const holdpoint = open({ store })
  const human = testHuman(holdpoint, ADA)
  const session = holdpoint.session('chat', ADA)
  const handled: string[] = []
  let decide = () => {}
  const result = session.toolCall(call()).requestInteraction({
    ...WAITS,
    prompt: 'Go?',
    onResponse: async (_response, { attempt, idempotencyKey }) => {
      handled.push(idempotencyKey)
      if (attempt === 2) return { complete: 'done' }
      if (handled.length > 1) return { complete: 'twice' }
      await new Promise<void>((resolve) => {
        decide = resolve
      })
      return { reprompt: { error: 'Really?' } }
    },
  })
  const first = await human.next()
  await human.approve(first)
  await until(() => handled.length === 1, 'the handler')
  const look = store.hold('load', 'after', (refs) => refs[0]?.kind === 'question' && refs[0].id === first.interactionId)
  await session.emit({ type: 'content', text: 'something happened' })
  await look.reached
  decide()
  const second = await human.next()
  look.release()
  await human.approve(second)
  expect(await result).toBe('done')
  expect(new Set(handled).size).toBe(2)
  expect(handled).toHaveLength(2)
})

test('a question that is answered while its tool still suspends runs the tool again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-race-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = heldStore(sqliteStore({ path: join(folder, 'data.db'), pollMs: 2 }))
  const delivered: unknown[] = []
  const holdpoint = open({
    store,
    waiting: 'suspend',
    hooks: { onToolResult: ({ toolCallId, result }) => void delivered.push([toolCallId, result]) },
  })
  const tool = holdpoint.tool({
    name: 'deploy',
    input: z.object({ questions: z.array(z.string()) }),
    execute: async ({ questions }, ctx) => {
      for (const prompt of questions) await ctx.approve({ prompt })
      return 'deployed'
    },
  })
  const run = (toolCallId: string, questions: string[]) =>
    holdpoint.session('chat', ADA).runTool(tool, { questions }, { runId: 'run-1', toolCallId })
  // Held when it has stopped at its question and is about to release the call.
  const stops = () => store.hold('commit', 'before', ({ puts }) => isSuspended(puts))
  const human = testHuman(holdpoint, ADA)

  const stop = stops()
  const running = run('with a caller', ['Deploy?'])
  await stop.reached
  await human.approve(await human.next())
  stop.release()
  expect(await running).toEqual({ status: 'completed', result: 'deployed' })

  expect(await run('without a caller', ['Build?', 'Deploy?'])).toMatchObject({ status: 'suspended' })
  const second = stops()
  await human.approve(await human.next())
  await second.reached
  await human.approve(await human.next())
  second.release()
  await until(() => delivered.length > 0, 'the result, without a tick')
  expect(delivered).toEqual([['without a caller', 'deployed']])
})

test('a delivery that another process claimed after it was read as due is left to that process', async () => {
  const backing = memoryStore()
  const stores = [0, 1].map(() => heldStore({ ...backing, close: async () => {} }))
  const calls: string[] = []
  const hook = (by: string) => ({
    hooks: {
      onFollowUp: () => {
        calls.push(by)
        // The first is at work for as long as this test runs.
        return by === 'quick' ? new Promise<void>(() => {}) : undefined
      },
    },
  })
  const [quick, late] = [open({ store: stores[0]!, ...hook('quick') }), open({ store: stores[1]!, ...hook('late') })]
  const human = testHuman(quick, ADA)
  const waiting = quick
    .session('chat', ADA)
    .toolCall(call())
    .requestInteraction({
      ...WAITS,
      timeoutMs: 10,
      onResponse: () => ({ complete: 1 }),
      onTimeout: () => ({ pending: { message: 'later' } }),
    })
  const question = await human.next()
  await waiting
  // Both have seen that it is due, and neither has claimed it.
  const claims = stores.map((store) => store.hold('load', 'before', ([ref]) => ref?.kind === 'delivery'))
  await human.approve(question)
  await claims[0]!.reached
  const sweeping = late.tick()
  await claims[1]!.reached
  claims[0]!.release()
  await until(() => calls.length === 1, 'the first attempt')
  claims[1]!.release()
  await sweeping
  expect(calls).toEqual(['quick'])
})

test('an approval for always that is revoked while it is being stored is not stored', async () => {
  const clock = testClock()
  const store = heldStore(memoryStore({ now: clock.now }))
  const holdpoint = open({ store, environment: clock.environment })
  const human = testHuman(holdpoint, ADA)
  const approve = async (id: string) => {
    const approved = holdpoint
      .session('chat', ADA)
      .toolCall(call(id))
      .approve({ prompt: '?', rememberAs: 'k', scopes: ['always'] })
    await human.approve(await human.next(), { approvalScope: 'always' })
    await clock.settle()
    return await approved
  }
  const onItsWay = store.hold('due', 'before', (kind) => kind === 'delivery')
  expect(await approve('first')).toMatchObject({ scope: 'always', remembered: false })
  await onItsWay.reached
  expect(await holdpoint.approvals.revoke(ADA)).toBe(1)
  onItsWay.release()
  await clock.advance('1m')
  expect(await holdpoint.approvals.list(ADA)).toEqual([])
  // Given again it counts: what was revoked is that one, not the key.
  expect(await approve('second')).toMatchObject({ scope: 'always', remembered: false })
  await clock.advance('1m')
  expect(await holdpoint.approvals.list(ADA)).toHaveLength(1)
})

function isSuspended(puts: readonly Put[] = []): boolean {
  return puts.some(({ kind, data }) => kind === 'call' && data.includes('"status":"suspended"'))
}
