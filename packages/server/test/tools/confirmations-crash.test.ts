import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { faultyStore, testClock, testHuman } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import type { Fault } from '../../src/testing/faulty-store.ts'
import { checkHistory } from '../engine/support/check-history.ts'
import { ADA, person } from '../engine/support/world.ts'
import { type Effect, editTool } from './support/edit-tool.ts'

/**
 * The process fails at its first call to the store, at its second, … in each of four ways; then another one comes. The
 * tool ran once, its deferred effect ran once (or again under the key that it had, when the process died inside), and
 * the call ended once.
 */
const FAULTS: readonly Fault[] = ['fail', 'lose the answer', 'die before', 'die after']
const ends = {
  confirmed: { effect: 'applied', status: 'completed', output: { applied: ['h1', 'h2'] } },
  partial: { effect: 'applied in part', status: 'completed', output: { applied: ['h1'], left: ['h2'] } },
  declined: { effect: 'reverted', status: 'declined', output: { reverted: 'a.txt', outcome: 'denied' } },
}
type End = keyof typeof ends

async function run(end: End, fault?: Fault, at = 0): Promise<{ calls: number; failed: boolean }> {
  const clock = testClock()
  const backing = memoryStore({ now: clock.now })
  const store = faultyStore({ ...backing, close: async () => {} })
  const effects: Effect[] = []
  let failed = false
  if (fault) {
    store.onCall(({ number }) => {
      if (number !== at) return undefined
      failed = true
      return fault
    })
  }
  const options = { environment: clock.environment, timing: { leaseMs: 5_000 }, hooks: { onToolResult: () => {} } }
  const begin = (holdpoint: Holdpoint) => {
    const tool = editTool(holdpoint, effects)
    const session = holdpoint.session('chat', ADA)
    session.runTool(tool, { path: 'a.txt' }, { runId: 'run-1', toolCallId: 'call-1' }).catch(() => {})
  }
  const answer = async (holdpoint: Holdpoint) => {
    const human = testHuman(holdpoint, { ...ADA, present: false })
    for (const question of await human.waiting().catch(() => [])) {
      const answerId = `answer to ${question.interactionId}`
      const said =
        end === 'declined'
          ? human.deny(question)
          : human.approve(question, {
              answerId,
              ...(end === 'partial' && { diffDecisions: { h1: 'accept', h2: 'reject' } }),
            })
      await said.catch(() => {})
    }
  }
  const first = createHoldpoint({ ...options, store })
  begin(first)
  await clock.advance('1s')
  for (let round = 0; round < 3; round++) await Promise.race([answer(first), clock.advance('5s')])

  const second = createHoldpoint({ ...options, store: backing })
  begin(second)
  await clock.advance('10s')
  for (let round = 0; round < 4; round++) {
    await answer(second)
    await clock.advance('20s')
  }
  await checkHistory(second, [])
  const keys = (what: string) => new Set(effects.flatMap(([name, key]) => (name === what ? [key] : [])))
  const { effect, status, output } = ends[end]
  expect([keys('proposed').size, keys(effect).size]).toEqual([1, 1])
  expect(effects.filter(([what]) => what !== 'proposed' && what !== effect)).toEqual([])
  const completes = (await person(second).events()).filter(({ type }) => type === 'tool_call_complete')
  expect(completes).toMatchObject([{ status, output }])
  await second.close()
  if (!store.dead) await first.close()
  return { calls: store.calls, failed }
}

describe.each(Object.keys(ends) as End[])('%s', (end) => {
  test.each(FAULTS)('at every call to the store: %s [R3.2]', { timeout: 120_000 }, async (fault) => {
    const { calls } = await run(end)
    let failures = 0
    for (let at = 1; at <= Math.min(calls, 70); at++) {
      try {
        if ((await run(end, fault, at)).failed) failures++
      } catch (error) {
        throw new Error(`${end}: ${fault} at call ${at}`, { cause: error })
      }
    }
    expect(failures).toBeGreaterThan(20)
  })
})
