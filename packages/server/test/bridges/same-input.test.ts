import { createHoldpoint, type ToolContext } from '@holdpoint/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { askAtGate } from '../../src/bridges/handlers/ask-at-gate.ts'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, person, stores } from '../engine/support/world.ts'

const CALL = { runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' }

/** Repetitions of one call ask at a gate at the same time, each on a node of its own if the store is shared. */
describe.each(stores)('the gate of a call, on %s', (_name, makeStore) => {
  function gates() {
    const holdpoint = createHoldpoint({ store: makeStore(), hooks: { onSettled: () => {} } })
    onTestFinished(() => holdpoint.close())
    const engine = engineOf(holdpoint)
    const owned = { session: holdpoint.session('chat', ADA), tenant: '' }
    const ask = (input: unknown, settle: (gate: ToolContext) => Promise<unknown>) =>
      askAtGate(engine, owned, CALL, input, settle)
    return { holdpoint, engine, ask }
  }
  const approve = (gate: ToolContext) => gate.approve({ prompt: 'Delete?', whenUnavailable: 'wait' })

  test('50 repetitions with two inputs at once ask one question, and those with the other input are rejected', async () => {
    const { holdpoint, ask } = gates()
    const asked = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => ask({ n: n % 2 }, approve)))
    const kinds = [0, 1].map((input) => {
      const ends = asked.filter((_, n) => n % 2 === input)
      return new Set(ends.map((end) => (end.status === 'fulfilled' ? 'asked' : end.reason.code)))
    })
    expect(kinds).toEqual(expect.arrayContaining([new Set(['asked']), new Set(['call_mismatch'])]))
    const events = await person(holdpoint).events()
    expect(events.filter(({ type }) => type === 'interaction_request')).toHaveLength(1)
  })

  test('a call that asks nothing is known by its input', async () => {
    const { ask } = gates()
    expect(await ask({ n: 1 }, async () => {})).toBeUndefined()
    await expect(ask({ n: 2 }, approve)).rejects.toMatchObject({ code: 'call_mismatch' })
    expect(await ask({ n: 1 }, async () => {})).toBeUndefined()
  })

  test('the question of a call is committed together with its input', async () => {
    const { engine, ask } = gates()
    expect(await ask({ n: 1 }, approve)).toBeTypeOf('string')
    const recorded = await engine.reads.call({ tenant: '', sessionId: 'chat' }, CALL, 'bridge input')
    expect(recorded?.recorded).toBeTypeOf('string')
  })
})
