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

describe('canonical JSON of values that are no plain data', () => {
  const deep = (depth: number): unknown => (depth === 0 ? { b: 1, a: undefined } : { z: deep(depth - 1), a: [depth] })
  class Point {
    y = 2
    x = 1
  }
  const values: [string, unknown][] = [
    ['a date', { at: new Date(0), a: 1 }],
    ['an object with toJSON', { b: { toJSON: () => ({ d: 1, c: 2 }) }, a: 1 }],
    ['an instance of a class', [new Point(), { p: new Point() }]],
    ['functions, symbols and undefined', { f: () => {}, s: Symbol('s'), u: undefined, list: [() => {}, undefined] }],
    ['a list with toJSON', [Object.assign([1], { toJSON: () => ['x'] })]],
    ['a sparse array', Object.assign([], { 0: 1, 2: 3 })],
    ['numbers that JSON does not have', [Number.NaN, Number.POSITIVE_INFINITY, -0, 1e21]],
    ['texts with escapes and halves of pairs', { 'é"\n': '\ud800', '\u0000': '😀' }],
    ['a key named __proto__', JSON.parse('{"b":1,"__proto__":{"d":1,"c":2},"a":3}')],
    ['an object without prototype', Object.assign(Object.create(null), { b: 1, a: 2 })],
    ['a value deeper than 100', deep(150)],
    ['nothing', undefined],
  ]

  test.each(values)('%s reads back as what JSON makes of it', (_name, value) => {
    const text = JSON.stringify(value)
    const plain = text === undefined ? null : JSON.parse(text)
    expect(JSON.stringify(JSON.parse(canonicalJson(value)))).toBe(JSON.stringify(JSON.parse(canonicalJson(plain))))
    expect(JSON.parse(canonicalJson(value))).toEqual(plain)
    expect(canonicalJson(value)).toBe(canonicalJson(plain))
  })

  test('a value that contains itself throws', () => {
    const itself: Record<string, unknown> = {}
    itself.itself = itself
    expect(() => canonicalJson(itself)).toThrow(TypeError)
  })
})
