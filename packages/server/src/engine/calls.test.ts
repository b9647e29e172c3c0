import { expect, test } from 'vitest'
import { Calls } from './calls.ts'
import type { Core } from './core.ts'
import type { Execution } from './execution.ts'

test('an older execution that is still at work does not take the place of the one that owns the call', () => {
  const lost: string[] = []
  const core = { alarm: { add() {}, within() {} }, store: { subscribe: () => () => {} }, settings: {} }
  const calls = new Calls(core as unknown as Core)
  const execution = (name: string) =>
    ({ id: 'run/call', partition: 's', lose: () => void lost.push(name) }) as unknown as Execution
  const [older, newer] = [execution('older'), execution('newer')]
  calls.took(older, 1)
  calls.took(newer, 2)
  calls.hold(older)
  expect(calls.in('s')[0]).toBe(newer)
  expect(lost).toEqual(['older'])
  calls.left(older)
  expect([calls.size, calls.in('s')[0]]).toEqual([1, newer])
  calls.left(newer)
  expect([calls.size, calls.partitions()]).toEqual([0, []])
})
