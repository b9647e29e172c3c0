import { createHoldpoint, type ToolContext } from '@holdpoint/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { askAtGate } from '../../src/bridges/handlers/ask-at-gate.ts'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, call, person, stores } from '../engine/support/world.ts'

/** Repetitions of one call ask at a gate at the same time, each on a node of its own if the store is shared. */
describe.each(stores)('the gate of a call, on %s', (_name, makeStore) => {
  test('50 repetitions with two inputs at once ask one question, and those with the other input are rejected', async () => {
    const holdpoint = createHoldpoint({ store: makeStore(), hooks: { onSettled: () => {} } })
    onTestFinished(() => holdpoint.close())
    const { environment } = engineOf(holdpoint)
    const approve = (gate: ToolContext) => gate.approve({ prompt: 'Delete?', whenUnavailable: 'wait' })
    const ask = (n: number) =>
      askAtGate(environment, holdpoint.session('chat', ADA), { ...call(), input: { n } }, approve)
    const asked = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => ask(n % 2)))
    const kinds = [0, 1].map((input) => {
      const ends = asked.filter((_, n) => n % 2 === input)
      return new Set(ends.map((end) => (end.status === 'fulfilled' ? 'asked' : end.reason.code)))
    })
    expect(kinds).toEqual(expect.arrayContaining([new Set(['asked']), new Set(['call_mismatch'])]))
    const events = await person(holdpoint).events()
    expect(events.filter(({ type }) => type === 'interaction_request')).toHaveLength(1)
  })
})
