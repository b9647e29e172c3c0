import { describe, expect, expectTypeOf, test } from 'vitest'
import { isHoldpointError } from '../../error.ts'
import { zodFromFields } from '../zod/to-zod.ts'
import { checkFields } from './check-fields.ts'
import { askedFields, groupsOf } from './conditions.ts'
import type { DateRange, FieldSpec, InferInput, InputField } from './types.ts'
import { validateInput } from './validate-input.ts'

const codes = (fields: readonly FieldSpec[], input: object) => {
  const checked = validateInput(fields, input)
  return checked.ok
    ? checked.value
    : Object.fromEntries(Object.entries(checked.problems).map(([id, list]) => [id, list.map(({ code }) => code)]))
}

describe('a field with a condition', () => {
  const options = [
    { value: 'post', label: 'Post' },
    { value: 'visit', label: 'Visit' },
  ]
  const fields = [
    { id: 'how', type: 'radio', label: 'How', options, required: true },
    { id: 'street', type: 'text', label: 'Street', required: true, when: { field: 'how', is: 'post' } },
    { id: 'gift', type: 'checkbox', label: 'Gift', when: { field: 'how', is: ['post'] } },
    { id: 'card', type: 'text', label: 'Card', defaultValue: 'Hello', when: { field: 'gift' } },
    { id: 'key', type: 'secret', label: 'Door code', when: { field: 'how', is: 'visit' } },
  ] as const satisfies InputField[]

  test('is asked and required while its condition is met', () => {
    expect(codes(fields, { how: 'post' })).toEqual({ street: ['required'] })
    expect(codes(fields, { how: 'post', street: 'A 1', gift: true })).toEqual({
      ...{ how: 'post', street: 'A 1', gift: true, card: 'Hello' },
    })
  })

  test('is absent while its condition is not met, and so is its default', () => {
    expect(codes(fields, { how: 'visit' })).toEqual({ how: 'visit' })
    expect(codes(fields, { how: 'visit', street: '', gift: undefined })).toEqual({ how: 'visit' })
  })

  test('[HP-FLD-1] rejects a value while it is not asked, also a secret or an unchecked box', () => {
    const all = { how: 'visit', street: 'A 1', gift: false, key: 'k' }
    expect(codes(fields, all)).toEqual({ street: ['not_asked'], gift: ['not_asked'] })
    expect(codes(fields, { how: 'visit', card: 'x' })).toEqual({ card: ['not_asked'] })
    expect(codes(fields, { how: 'post', street: 'A 1', key: 'k' })).toEqual({ key: ['not_asked'] })
  })

  test('rejects the same answers in zod', () => {
    const schema = zodFromFields(fields)
    const answers = [
      { how: 'post' },
      { how: 'post', street: 'A 1' },
      { how: 'visit', street: 'A 1' },
      { how: 'visit', gift: false },
      { how: 'visit', key: 'k' },
    ]
    for (const answer of answers) {
      expect([answer, schema.safeParse(answer).success]).toEqual([answer, validateInput(fields, answer).ok])
    }
  })

  test('is not asked if it depends on a field that is not asked', () => {
    const asked = (input: object) => askedFields(fields, { ...input }).map(({ id }) => id)
    expect(asked({})).toEqual(['how'])
    expect(asked({ how: 'post', gift: true })).toEqual(['how', 'street', 'gift', 'card'])
    expect(asked({ how: 'visit', gift: true })).toEqual(['how', 'key'])
  })

  test('is never rejected as not asked if only the asked fields are sent', () => {
    for (const how of ['', 'post', 'visit', 'x'])
      for (const gift of [true, false]) {
        const entered: Record<string, unknown> = { how, street: 'A 1', gift, card: 'x', key: 'k' }
        const sent = Object.fromEntries(askedFields(fields, entered).map(({ id }) => [id, entered[id]]))
        const checked = validateInput(fields, sent)
        expect(
          checked.ok
            ? []
            : Object.values(checked.problems)
                .flat()
                .map(({ code }) => code),
        ).not.toContain('not_asked')
      }
  })

  test('has an optional value type, even if it is required', () => {
    expectTypeOf<InferInput<typeof fields>['street']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<InferInput<typeof fields>['how']>().toEqualTypeOf<string>()
  })

  test.each([
    [{ field: 'nowhere' }, 'no field before it'],
    [{ field: 'late' }, 'no field before it'],
    [{ field: 'how', is: 'fly' }, '"fly", which "how" never is'],
    [{ field: 'gift', is: 'yes' }, '"yes", which "gift" never is'],
    [{ field: 'key', is: 'k' }, 'a secret'],
  ])('rejects the condition %j', (when, why) => {
    const late: InputField[] = [
      { id: 'x', type: 'text', label: 'X', when },
      { id: 'late', type: 'text', label: 'L' },
    ]
    const asked = () => checkFields([...(fields as readonly FieldSpec[]), ...late])
    expect(asked).toThrow(why)
    expect(isHoldpointError(thrown(asked), 'invalid_fields')).toBe(true)
  })
})

const thrown = (act: () => void) => {
  try {
    act()
  } catch (error) {
    return error
  }
}

describe('an own answer', () => {
  const options = [{ value: 'a', label: 'A' }]
  const one = [{ id: 'o', type: 'select', label: 'O', options, other: true }] as const
  const many = [{ id: 'o', type: 'multiselect', label: 'O', options, other: true }] as const

  test('is accepted once without surrounding spaces if the field allows it', () => {
    expect(codes(one, { o: ' own ' })).toEqual({ o: 'own' })
    expect(codes(many, { o: ['a', ' own ', ''] })).toEqual({ o: ['a', 'own'] })
    expect(codes(one, { o: '   ' })).toEqual({})
    expectTypeOf<InferInput<typeof one>['o']>().toEqualTypeOf<string | undefined>()
  })

  test('is rejected if the field does not allow it, if it is too long, or if there are two', () => {
    expect(codes([{ ...one[0], other: false }], { o: 'own' })).toEqual({ o: ['not_an_option'] })
    expect(codes(one, { o: 'x'.repeat(501) })).toEqual({ o: ['too_long'] })
    expect(codes(many, { o: ['b', 'c'] })).toEqual({ o: ['not_an_option'] })
    expect(codes(many, { o: ['a', 7] })).toEqual({ o: ['not_an_option'] })
  })
})

describe('an amount', () => {
  const money = (currency: string): FieldSpec[] => [{ id: 'm', type: 'money', label: 'M', currency, minimum: 0 }]

  test('has at most the decimals of its currency', () => {
    expect(codes(money('EUR'), { m: '12.50' })).toEqual({ m: 12.5 })
    expect(codes(money('EUR'), { m: 0.07 })).toEqual({ m: 0.07 })
    expect(codes(money('EUR'), { m: 1.005 })).toEqual({ m: ['too_precise'] })
    expect(codes(money('JPY'), { m: 0.5 })).toEqual({ m: ['too_precise'] })
    expect(codes(money('KWD'), { m: 1.005 })).toEqual({ m: 1.005 })
    expect(codes(money('EUR'), { m: -1 })).toEqual({ m: ['too_small'] })
  })
})

describe('a date range', () => {
  const stay: FieldSpec[] = [
    { id: 's', type: 'daterange', label: 'S', min: '2026-01-02', max: '2026-03-01', required: true },
  ]

  test.each<[unknown, unknown]>([
    [
      { from: '2026-01-31', to: '2026-01-31' },
      { from: '2026-01-31', to: '2026-01-31' },
    ],
    ['2026-01-31/2026-02-03', { from: '2026-01-31', to: '2026-02-03' }],
    [{ from: '', to: '' }, ['required']],
    [{ from: '2026-01-31', to: '' }, ['bad_range']],
    [{ from: '2026-02-03', to: '2026-01-31' }, ['range_order']],
    [{ from: '2026-02-30', to: '2026-03-01' }, ['bad_date']],
    [{ from: '2026-01-01', to: '2026-03-02' }, ['too_small', 'too_big']],
    [{ from: '2026-01-31', to: '2026-02-03', more: 1 }, ['bad_range']],
    ['2026-01-31/2026-02-03/2026-02-04', ['bad_range']],
    [7, ['bad_range']],
  ])('%j is read as %j', (given, read) => {
    expect(codes(stay, { s: given })).toEqual({ s: read })
  })

  test('has an object type', () => {
    const range = [{ id: 's', type: 'daterange', label: 'S', required: true }] as const
    expectTypeOf<InferInput<typeof range>['s']>().toEqualTypeOf<DateRange>()
  })
})

test.each<[string, string | string[]]>([
  ['+49 (30) 123-45.67', '+49301234567'],
  ['0049/30/1234567', '+49301234567'],
  ['٠٠٢٠ ٢ ١٢٣٤٥٦٧٨', '+20212345678'],
  ['＋８１ 3 1234 5678', '+81312345678'],
  ['030 1234567', ['bad_phone']],
  ['+49 30 CALL ME', ['bad_phone']],
  ['+1', ['bad_phone']],
  ['+12345678901234567', ['bad_phone']],
])('the phone number "%s" is read as %j', (typed, read) => {
  expect(codes([{ id: 'p', type: 'phone', label: 'P' }], { p: typed })).toEqual({ p: read })
})

test('consecutive fields of one group are shown together', () => {
  const field = (id: string, group?: string): InputField => ({ id, type: 'text', label: id, ...(group && { group }) })
  const groups = groupsOf([field('a', 'X'), field('b', 'X'), field('c'), field('d'), field('e', 'X')])
  expect(groups.map(({ name, fields }) => [name, fields.map(({ id }) => id)])).toEqual([
    ['X', ['a', 'b']],
    [undefined, ['c']],
    [undefined, ['d']],
    ['X', ['e']],
  ])
})
