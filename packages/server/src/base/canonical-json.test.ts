import { describe, expect, test } from 'vitest'
import { canonicalJson, digestOf, recordable } from './canonical-json.ts'

describe('canonical JSON', () => {
  test('is equal for equal values, in any order of keys', () => {
    expect(canonicalJson({ b: [1, { y: 2, x: 1 }], a: undefined })).toBe('{"b":[1,{"x":1,"y":2}]}')
    expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1 }))
    expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]))
    expect(canonicalJson(undefined)).toBe('null')
    expect(canonicalJson(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"')
  })
  test('rejects a value that JSON cannot represent with not_recordable', () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    for (const value of [1n, cycle, () => 1, Symbol('x')]) {
      expect(() => recordable('It', value)).toThrow(expect.objectContaining({ code: 'not_recordable' }))
    }
    // The log contains the cause.
    expect(() => recordable('It', cycle)).toThrow(expect.objectContaining({ cause: expect.any(TypeError) }))
    expect(recordable('It', undefined)).toBeUndefined()
    expect(recordable('It', { at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' })
  })
})
