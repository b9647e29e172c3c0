import { anyCharacter } from '@holdpoint/conformance/any-character'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../json/canonical.ts'
import { type EditableGroup, type EditableValue, editableArgs, withValue } from './editable-args.ts'
import { problemsOfForm, writtenArgs } from './written-args.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('a\nb', 'a\r\nb', '2026-03-05', 'No', ' '),
)
const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'amount_cents', 'currency', 'a.b', 'a/b'))
const value = fc.letrec((tie) => ({
  leaf: fc.oneof(
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom(1e21, 1e-9, 2 ** 60),
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
  texts: fc.array(text, { maxLength: 4 }),
  group: fc.array(fc.tuple(key, tie('any')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  any: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('texts'), tie('list'), tie('group')),
})).any
const args = fc
  .array(fc.tuple(key, value), { minLength: 1, maxLength: 6 })
  .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))) as Record<string, unknown>)

/** Paths of all values that a person can change. */
function leaves(at: EditableValue, path: readonly number[] = []): { path: readonly number[]; value: EditableValue }[] {
  if (at.kind === 'list') return at.items.flatMap((item, index) => leaves(item, [...path, index]))
  if (at.kind === 'group') return at.entries.flatMap((entry, index) => leaves(entry.value, [...path, index]))
  return at.kind === 'fixed' ? [] : [{ path, value: at }]
}

/** An edit of a field, and the value that must run. */
function edit(leaf: EditableValue): { value: EditableValue; runs: unknown } {
  if (leaf.kind === 'flag') return { value: { ...leaf, on: !leaf.on }, runs: !leaf.on }
  if (leaf.kind === 'number') return { value: { ...leaf, typed: '12.5' }, runs: 12.5 }
  if (leaf.kind === 'date') return { value: { ...leaf, text: '2027-01-31' }, runs: '2027-01-31' }
  return { value: { ...(leaf as Extract<EditableValue, { kind: 'text' }>), text: 'mine' }, runs: 'mine' }
}

/** The JSON value at a path of positions. */
const at = (root: unknown, path: readonly number[]): unknown =>
  path.reduce<unknown>((inner, index) => Object.values(inner as object)[index], root)

describe('fields derived from the values of arguments', () => {
  test('without changes write exactly the same arguments, in the same order, without problems', () => {
    fc.assert(
      fc.property(args, (given) => {
        const form = editableArgs(given)
        fc.pre(form !== undefined)
        expect(JSON.stringify(writtenArgs(form))).toBe(JSON.stringify(given))
        expect(problemsOfForm(form)).toEqual({})
      }),
      { numRuns: 2_000 },
    )
  })

  test('from a stored form write the same arguments', () => {
    fc.assert(
      fc.property(args, (given) => {
        const form = editableArgs(given)
        fc.pre(form !== undefined)
        expect(canonicalJson(writtenArgs(JSON.parse(JSON.stringify(form)) as EditableGroup))).toBe(canonicalJson(given))
      }),
    )
  })

  test('change one value alone if one field changes, and keep its type', () => {
    fc.assert(
      fc.property(args, fc.nat(), (given, pick) => {
        const form = editableArgs(given)
        fc.pre(form !== undefined && leaves(form).length > 0)
        const all = leaves(form!)
        const { path, value: leaf } = all[pick % all.length]!
        const { value: changed, runs } = edit(leaf)
        const result = writtenArgs(withValue(form!, path, changed))
        expect(at(result, path)).toBe(runs)
        expect(typeof at(result, path)).toBe(typeof at(given, path))
        // Put back, nothing has changed.
        expect(JSON.stringify(writtenArgs(withValue(withValue(form!, path, changed), path, leaf)))).toBe(
          JSON.stringify(given),
        )
      }),
      { numRuns: 1_000 },
    )
  })

  test('exist for no text with invisible characters', () => {
    const form = editableArgs({ a: 'x\u202Ey', b: 'two\r\nlines', c: ['ok', 'z\u200B'], d: 'plain' })!
    expect(form.entries.map(({ value: { kind } }) => kind)).toEqual(['fixed', 'fixed', 'list', 'text'])
    expect(form.entries[2]!.value).toMatchObject({ items: [{ kind: 'text' }, { kind: 'fixed' }] })
  })

  test.each([
    ['a list', ['a']],
    ['a text', 'a'],
    ['nothing', undefined],
    ['an empty object', {}],
    ['only values without a field', { a: null, b: [], c: {}, d: 1e30 }],
    ['more than a hundred values', { list: Array.from({ length: 101 }, () => 'a') }],
  ])('%s is edited as JSON', (_, given) => {
    expect(editableArgs(given)).toBeUndefined()
  })

  test('can be removed from a list and added to it', () => {
    const form = editableArgs({ to: ['ada', 'grace'], n: [1] })!
    const without = withValue(form, [0, 0], undefined)
    const more = withValue(without, [0, 1], { kind: 'text', text: 'kay' })
    expect(writtenArgs(more)).toEqual({ to: ['grace', 'kay'], n: [1] })
    expect(writtenArgs(withValue(more, [1, 0], undefined))).toEqual({ to: ['grace', 'kay'], n: [] })
  })

  test.each([
    ['12,', 'type'],
    ['', 'type'],
    ['1e400', 'type'],
    ['9007199254740993', 'too_big'],
    ['-9007199254740993', 'too_small'],
    ['0.12345678901234567890', 'custom'],
  ])('report a number that would not run as typed: %s', (typed, code) => {
    const form = withValue(editableArgs({ deep: { n: 1 } })!, [0, 0], { kind: 'number', value: 1, typed })
    expect(problemsOfForm(form)).toEqual({ '["deep","n"]': [expect.objectContaining({ code })] })
    const top = withValue(editableArgs({ n: 1 })!, [0], { kind: 'number', value: 1, typed })
    expect(Object.keys(problemsOfForm(top))).toEqual(['n'])
    expect(writtenArgs(top)).toEqual({ n: typed })
  })

  test.each([
    ['007', 7],
    ['0.30000000000000004', 0.30000000000000004],
    ['1.50', 1.5],
    ['2e3', 2000],
    ['-0.0000001', -1e-7],
    ['100', 100],
  ])('accept a number that runs as typed: %s', (typed, runs) => {
    const form = withValue(editableArgs({ n: 1 })!, [0], { kind: 'number', value: 1, typed })
    expect(problemsOfForm(form)).toEqual({})
    expect(writtenArgs(form)).toEqual({ n: runs })
  })
})
