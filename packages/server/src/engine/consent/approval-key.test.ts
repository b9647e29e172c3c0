import { describe, expect, test } from 'vitest'
import { approvalKey, keyText } from './approval-key.ts'

class Path {
  #own = 'prod.db'
  name() {
    return this.#own
  }
}
const loop: unknown[] = []
loop.push(loop)

describe('the key of an approval', () => {
  test.each([
    ['a Set', new Set(['a.txt']), 'is a Set', ''],
    ['a Map', new Map([['file', 'a.txt']]), 'is a Map', ''],
    ['an undefined property', { file: undefined }, 'is undefined', 'file'],
    ['an undefined item', ['delete', undefined], 'is undefined', '[1]'],
    ['a hole', Array.from({ length: 2 }).fill('a').concat(new Array(1)), 'is undefined', '[2]'],
    ['NaN', ['delete', Number.NaN], 'is NaN', '[1]'],
    ['infinity', Number.POSITIVE_INFINITY, 'is Infinity', ''],
    ['a promise of an async function', Promise.resolve('a.txt'), 'is a promise', ''],
    ['a regular expression', /a/, 'is a RegExp', ''],
    ['an error', new Error('a'), 'is a Error', ''],
    ['an instance with private state', { path: new Path() }, 'is a Path', 'path'],
    ['an ArrayBuffer', new ArrayBuffer(1), 'is a ArrayBuffer', ''],
    ['a date', new Date(0), 'is a Date', ''],
    ['a function', { by: () => 1 }, 'is a function', 'by'],
    ['a big integer', 1n, 'is a bigint', ''],
    ['a symbol', Symbol('a'), 'is a symbol', ''],
    ['a symbol as name', { [Symbol('a')]: 1 }, 'has a symbol', ''],
    ['an own toJSON', { toJSON: () => 'a' }, 'has its own toJSON', ''],
    ['a cycle', loop, 'contains itself', '[0]'],
  ])('with %s is rejected with the path of the fault [T32.3]', (_what, key, fault, path) => {
    expect(() => keyText(key)).toThrow(expect.objectContaining({ code: 'invalid_request', details: { path } }))
    expect(() => keyText(key)).toThrow(fault)
  })

  test.each([[null], ['a'], [0], [false], [['a', { b: [1, null] }]], [Object.create(null)]])(
    'that is plain JSON is its canonical text: %j',
    (key) => {
      expect(JSON.parse(keyText(key))).toEqual(JSON.parse(JSON.stringify(key)))
    },
  )
})

describe('the label of what an approval covers', () => {
  const diff = [{ path: 'a', hunks: [{ id: 'h', oldStart: 1, newStart: 1, lines: ['+a'] }] }]
  test('is the request if the key contains all arguments', () => {
    const args = { files: ['a'], deep: { b: 1 } }
    expect(approvalKey({ args, rememberAs: { deep: { b: 1 }, files: ['a'] } }).covers).toBe('request')
    expect(approvalKey({ args, rememberAs: (given) => given }).covers).toBe('request')
    expect(approvalKey({ args, scopes: ['once', 'always'] })).toEqual({
      ...{ rememberedKey: '{"deep":{"b":1},"files":["a"]}', covers: 'request' },
    })
  })
  test('is the tool if the key omits an argument', () => {
    expect(approvalKey({ args: { n: 1 }, rememberAs: 'rollout' }).covers).toBe('tool')
    expect(approvalKey({ rememberAs: 'rollout' }).covers).toBe('tool')
    // The next change would be applied unseen.
    expect(approvalKey({ args: { n: 1 }, rememberAs: { n: 1 }, diff }).covers).toBe('tool')
  })
  test('includes the diff by default', () => {
    const other = [{ ...diff[0]!, path: 'b' }]
    const keyOf = (shown: typeof diff) =>
      approvalKey({ args: { n: 1 }, scopes: ['session'], diff: shown }).rememberedKey
    expect(keyOf(diff)).not.toBe(keyOf(other))
  })
  test('is absent without a wider scope, or without a key', () => {
    expect(approvalKey({ args: { n: 1 } }).rememberedKey).toBeUndefined()
    expect(approvalKey({ args: { n: 1 }, scopes: ['once'] }).rememberedKey).toBeUndefined()
    expect(approvalKey({ scopes: ['session'] }).rememberedKey).toBeUndefined()
  })
})
