import { describe, expect, test } from 'vitest'
import { IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import { Execution } from './execution.ts'

const execution = (identity = {}) => new Execution({ ...IDENTITY, ...identity }, { registered: true, waiter: 'inline' })

test('what is done is counted from 1, each for itself, so that a re-run counts alike', () => {
  const one = execution()
  expect([one.counted('a'), one.counted('b')]).toEqual([0, 0])
  expect([one.count('a'), one.count('a'), one.count('b'), one.count('a')]).toEqual([1, 2, 1, 3])
  expect([one.counted('a'), one.counted('b'), one.counted('c')]).toEqual([3, 1, 0])
  const two = execution()
  expect([two.count('a'), two.counted('a'), two.counted('b'), two.count('b'), two.counted('a')]).toEqual([
    1, 1, 0, 1, 1,
  ])
})

describe('the signal', () => {
  test('is one for all who look, aborted with the first reason that there was', () => {
    const one = execution()
    const { signal } = one
    expect([one.signal, signal.aborted]).toEqual([signal, false])
    const cancelled = one.cancel('enough')
    expect(cancelled).toMatchObject({ outcome: 'cancelled', reason: 'enough' })
    expect(one.lose()).toMatchObject({ code: 'ownership_lost', details: { runId: 'run-1', toolCallId: 'call-1' } })
    expect(signal.reason).toBe(cancelled)
  })
  test('of an execution that ended before the first access is aborted already', () => {
    const one = execution()
    const lost = one.lose()
    expect([one.signal.aborted, one.signal.reason]).toEqual([true, lost])
  })
  test('of a cancellation without a reason says none', () => {
    expect(execution().cancel().details).toStrictEqual({ outcome: 'cancelled' })
  })
})

test('an execution is named by its session and call, and one without an id is refused', () => {
  expect(execution().name).toBe('s//chat run-1/call-1')
  expect(execution().effects).toBeInstanceOf(Map)
  for (const name of ['runId', 'toolCallId', 'toolName']) {
    expect(() => execution({ [name]: '' })).toThrow(expect.objectContaining({ details: { name } }))
  }
})

test('effects that run are one list', () => {
  const one = execution()
  one.effects.set('a', Promise.resolve())
  expect([...one.effects.keys()]).toEqual(['a'])
})
