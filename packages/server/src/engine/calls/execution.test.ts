import { describe, expect, test } from 'vitest'
import { IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import { Execution } from './execution.ts'

const execution = (identity = {}) => new Execution({ ...IDENTITY, ...identity }, { registered: true, waiter: 'inline' })

test('an execution counts each kind of step from 1, so that a repeated execution has the same numbers', () => {
  const one = execution()
  expect([one.counted('a'), one.counted('b')]).toEqual([0, 0])
  expect([one.count('a'), one.count('a'), one.count('b'), one.count('a')]).toEqual([1, 2, 1, 3])
  expect([one.counted('a'), one.counted('b'), one.counted('c')]).toEqual([3, 1, 0])
  const two = execution()
  expect([two.count('a'), two.counted('a'), two.counted('b'), two.count('b'), two.counted('a')]).toEqual([
    1, 1, 0, 1, 1,
  ])
})

describe('the signal of an execution', () => {
  test('is one object, aborted with the first reason', () => {
    const one = execution()
    const { signal } = one
    expect([one.signal, signal.aborted]).toEqual([signal, false])
    const cancelled = one.cancel('enough')
    expect(cancelled).toMatchObject({ outcome: 'cancelled', reason: 'enough' })
    expect(one.lose()).toMatchObject({ code: 'ownership_lost', details: { runId: 'run-1', toolCallId: 'call-1' } })
    expect(signal.reason).toBe(cancelled)
  })
  test('is already aborted if the execution ended before the first access', () => {
    const one = execution()
    const lost = one.lose()
    expect([one.signal.aborted, one.signal.reason]).toEqual([true, lost])
  })
  test('has no reason if the cancellation has none', () => {
    expect(execution().cancel().details).toStrictEqual({ outcome: 'cancelled' })
  })
})

test('an execution is named by its session and call, and is rejected without an id', () => {
  expect(execution().name).toBe('s//chat run-1/call-1')
  expect(execution().effects).toBeInstanceOf(Map)
  for (const name of ['runId', 'toolCallId', 'toolName']) {
    expect(() => execution({ [name]: '' })).toThrow(expect.objectContaining({ details: { name } }))
  }
})

test('an execution lists its running effects', () => {
  const one = execution()
  one.effects.set('a', Promise.resolve())
  expect([...one.effects.keys()]).toEqual(['a'])
})
