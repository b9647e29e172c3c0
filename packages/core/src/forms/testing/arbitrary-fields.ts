import fc from 'fast-check'
import type { InputField } from '../fields/types.ts'

/** Forms for property tests: every kind, with and without each of its options. */

const id = fc.constantFrom('a', 'firstName', 'b_2', 'constructor', 'toString', 'ключ', 'x y')
const words = fc.string({ minLength: 1, maxLength: 12 })
const about = {
  id,
  label: words,
  description: words,
  required: fc.constant(true as const),
  group: fc.constantFrom('Address', 'Payment'),
}
const look = { placeholder: words, autocomplete: fc.constantFrom('email', 'name', 'off') }
const needed = { requiredKeys: ['id', 'label', 'type'] as ['id', 'label', 'type'] }
const lengths = { minLength: fc.integer({ min: 0, max: 2 }), maxLength: fc.integer({ min: 40, max: 60 }) }
const pattern = fc.constantFrom('^[a-z .]*$', 'a|b', '^(?=x)')
const options = fc
  .uniqueArray(fc.record({ value: fc.constantFrom('a', 'b', 'c', 'constructor'), label: words }), {
    selector: ({ value }) => value,
    minLength: 1,
    maxLength: 4,
  })
  .chain((list) =>
    fc.constantFrom(
      list,
      list.map(({ value }) => ({ value, label: value })),
    ),
  )

const kind = <T extends string, R extends object>(type: T, rest: { [K in keyof R]: fc.Arbitrary<R[K]> }) =>
  fc.record({ ...about, type: fc.constant(type), ...rest }, needed) as unknown as fc.Arbitrary<InputField>

/** Adds a valid default, or none. */
const sometimes = (field: fc.Arbitrary<InputField>, value: (field: InputField) => unknown) =>
  fc.tuple(field, fc.boolean()).map(([f, on]) => (on ? ({ ...f, defaultValue: value(f) } as InputField) : f))
const first = (field: InputField) => (field.options as { value: string }[])[0]!.value

const text = (more = {}) => kind('text', { ...lengths, ...more })
const email = (more = {}) => sometimes(kind('email', { ...lengths, ...more }), () => 'ada@example.com')
const url = (more = {}) => sometimes(kind('url', { ...lengths, ...more }), () => 'https://example.com/')
const numeric = (more = {}) => [
  sometimes(
    kind('number', { minimum: fc.constantFrom(-1, 0.5), maximum: fc.constantFrom(7, 99.5), ...more }),
    () => 2.5,
  ),
  sometimes(kind('integer', { minimum: fc.constantFrom(-1, 0), maximum: fc.constantFrom(7, 99), ...more }), () => 3),
]
const choice = (type: 'select' | 'radio', more = {}) => sometimes(kind(type, { ...more }).chain(withOptions), first)
const many = (more = {}) =>
  sometimes(
    kind('multiselect', { minItems: fc.constantFrom(0, 1), maxItems: fc.constantFrom(1, 5), ...more }).chain(
      withOptions,
    ),
    (f) => [first(f)],
  )
function withOptions(field: InputField): fc.Arbitrary<InputField> {
  return options.map((list) => ({ ...field, options: list }) as InputField)
}
const dated = (type: 'date' | 'datetime', more = {}) =>
  sometimes(kind(type, { ...more }), () => (type === 'date' ? '2026-01-31' : '2026-01-31T09:30:00Z'))

const open = fc.constant(true as const)
const RANGE = { from: '2026-01-31', to: '2026-02-03' }
const special = (more = {}) => [
  sometimes(
    kind('money', { minimum: fc.constantFrom(0, 1.5), maximum: fc.constant(99.5), ...more }).chain((field) =>
      fc.constantFrom('EUR', 'KWD').map((currency) => ({ ...field, currency }) as InputField),
    ),
    () => 12.5,
  ),
  sometimes(kind('phone', { ...more }), () => '+49301234567'),
]
const ranged = (more = {}) => sometimes(kind('daterange', { ...more }), () => RANGE)

/** Adds a condition to some of the fields that follow one on which they can depend. */
export const withConditions = (form: fc.Arbitrary<InputField[]>): fc.Arbitrary<InputField[]> =>
  fc.tuple(form, fc.infiniteStream(fc.nat(5))).map(([fields, draws]) =>
    fields.map((field, index) => {
      const draw = draws.next().value as number
      const before = fields[draw % Math.max(index, 1)]
      if (index === 0 || draw > 2 || !before) return field
      return { ...field, when: { field: before.id, ...wantedOf(before, draw) } } as InputField
    }),
  )

function wantedOf(field: InputField, draw: number): { is?: unknown } {
  if (draw === 2) return {}
  if ('options' in field) return { is: draw ? [first(field), ...(field.other ? ['own words'] : [])] : first(field) }
  if (field.type === 'checkbox') return draw ? { is: false } : {}
  if (field.type === 'text') return { is: draw ? ['a', 'b'] : 'a' }
  return field.type === 'number' || field.type === 'integer' ? { is: 3 } : {}
}

/** The part that survives conversion to the schemas of other protocols. */
export const plainField: fc.Arbitrary<InputField> = fc.oneof(
  text({ pattern }),
  sometimes(text(), () => 'some words'),
  email({ pattern: fc.constant('@') }),
  url({ pattern: fc.constant('^h') }),
  ...numeric(),
  sometimes(kind('checkbox', {}), () => true),
  kind('checkbox', { const: fc.constant(true as const) }),
  choice('select'),
  many(),
  dated('date'),
  dated('datetime'),
)

/** The part that survives conversion to JSON Schema. */
export const portableField: fc.Arbitrary<InputField> = fc.oneof(
  { weight: 2, arbitrary: plainField },
  choice('select', { other: open }),
  many({ other: open }),
  ...special(),
  ranged(),
)

const dates = { min: fc.constant('2026-01-01'), max: fc.constant('2026-12-31') }
const instants = { min: fc.constant('2026-01-01T00:00:00Z'), max: fc.constant('2026-12-31T23:00:00+01:00') }

/** Every field of the protocol that zod can express too. */
export const anyField: fc.Arbitrary<InputField> = fc
  .oneof(
    text({ ...look, pattern }),
    sometimes(kind('textarea', { ...look, ...lengths }), () => 'some words'),
    email(look),
    url(look),
    ...numeric(look),
    sometimes(kind('checkbox', look), () => false),
    sometimes(kind('checkbox', { ...look, const: fc.constant(true as const) }), () => true),
    choice('select', { ...look, other: open }),
    choice('radio', { ...look, other: open }),
    many({ ...look, other: open }),
    ...special(look),
    ranged({ ...look, ...dates }),
    dated('date', { ...look, ...dates }),
    dated('datetime', { ...look, ...instants }),
    kind('secret', { ...look, ...lengths }),
    kind('file', {
      ...look,
      accept: fc.constant(['.pdf', 'image/*']),
      maxBytes: fc.constant(1_000),
      multiple: fc.constant(true as const),
    }),
  )
  .filter(({ id }) => !(id in {}))

const file = fc.record({
  handle: fc.constantFrom('', 'upl_1'),
  name: fc.constantFrom('a.pdf', 'b.PNG'),
  size: fc.constantFrom(1, 2_000, -1),
  type: fc.constantFrom('', 'image/png', 'application/pdf'),
})

/** Values that a control, a program or an attacker may submit for one field. */
export const anyRawValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>('', 'a', 'b', 'on', 'true', true, false, null, undefined, 0, 3, -7, 2.5, 1e300, Number.NaN),
  fc.constantFrom<unknown>(
    '2026-01-31',
    '2026-02-30',
    '2026-01-31T09:30Z',
    '2026-06-01T09:30:00.5+02:00',
    ' 4 ',
    '1e2',
  ),
  fc.constantFrom<unknown>(
    'ada@example.com',
    'ада@пример.рф',
    'https://example.com',
    'http:x',
    'javascript:x',
    ['a'],
    [],
  ),
  fc.constantFrom<unknown>(
    '+49 (30) 12-34567',
    '0049301234567',
    '٠٠٤٩٣٠١٢٣٤٥٦٧',
    '2026-01-31/2026-02-03',
    RANGE,
    { from: 'x' },
    1.005,
  ),
  fc.string({ maxLength: 70 }),
  fc.array(fc.constantFrom('a', 'b', 'z'), { maxLength: 3 }),
  file,
  fc.array(file, { maxLength: 2 }),
  fc.object({ maxDepth: 1 }),
)

/** Forms of up to this many fields with different ids. */
export const formOf = <Field extends InputField>(field: fc.Arbitrary<Field>, maxLength: number) =>
  fc.uniqueArray(field, { selector: ({ id }) => id, minLength: 1, maxLength })

/** JSON whose keys and texts are these words: schemas that are nearly right. Each is passed whole and as `wrap` makes it. */
export function nearSchemas(words: readonly string[], maxDepth: number, wrap: (value: unknown) => unknown) {
  const word = fc.constantFrom(...words)
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth },
      word,
      fc.integer(),
      fc.constant(null),
      tie('object'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
    object: fc.dictionary(word, tie('value'), { maxKeys: 4 }),
  }))
  return fc.oneof(json.object!, json.value!, json.value!.map(wrap))
}

/** Returns what a function throws. */
export function thrown(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
