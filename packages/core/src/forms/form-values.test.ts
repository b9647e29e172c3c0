import { describe, expect, expectTypeOf, test } from 'vitest'
import { toLocalDateTime } from './fields/datetime.ts'
import { initialFormValues } from './fields/initial-form-values.ts'
import { redactInput } from './fields/redact-input.ts'
import type { InputField, UploadedFile } from './fields/types.ts'
import { validateInput } from './fields/validate-input.ts'

const options = [{ value: 'red', label: 'Red' }]
const fields: InputField[] = [
  { id: 'name', type: 'text', label: 'Name', defaultValue: 'Ada' },
  { id: 'age', type: 'integer', label: 'Age', defaultValue: 36 },
  { id: 'ok', type: 'checkbox', label: 'OK', defaultValue: true },
  { id: 'colour', type: 'select', label: 'Colour', options },
  { id: 'colours', type: 'multiselect', label: 'Colours', options, defaultValue: ['red'] },
  { id: 'key', type: 'secret', label: 'Key' },
  { id: 'plan', type: 'file', label: 'Plan' },
]

describe('initialFormValues', () => {
  test('form values start with defaults in the format of the controls', () => {
    expect(initialFormValues(fields)).toStrictEqual({
      name: 'Ada',
      age: '36',
      ok: true,
      colour: '',
      colours: ['red'],
      key: '',
      plan: null,
    })
  })

  test('kept values override defaults, also false and empty ones; secrets start empty', () => {
    const kept = { name: '', age: '3x', ok: false, colours: [], key: { secret: true }, plan: { handle: 'u' }, other: 1 }
    expect(initialFormValues({ type: 'form', fields }, kept)).toStrictEqual({
      name: '',
      age: '3x',
      ok: false,
      colour: '',
      colours: [],
      key: '',
      plan: { handle: 'u' },
    })
  })

  test('an untouched form with defaults is valid', () => {
    expect(validateInput(fields, initialFormValues(fields))).toStrictEqual({
      ok: true,
      value: { name: 'Ada', age: 36, ok: true, colours: ['red'] },
    })
  })
})

describe('redactInput', () => {
  test('no secret survives redaction, under its own name or another', () => {
    const recorded = redactInput(fields, { name: 'Ada', key: 'hunter2', kye: 'hunter2' })
    expect(recorded).toStrictEqual({ name: 'Ada', key: { secret: true } })
    expect(JSON.stringify(recorded)).not.toContain('hunter2')
  })
})

test('toLocalDateTime formats an instant for a date control, and parsing returns the instant', () => {
  const instant = '2026-07-31T22:15:00.000Z'
  const shown = toLocalDateTime(instant)
  expect(new Date(shown).toISOString()).toBe(instant)
  expect(toLocalDateTime('2026-07-31T09:30')).toBe('2026-07-31T09:30')
  expect([toLocalDateTime('tomorrow'), toLocalDateTime(undefined)]).toEqual(['', ''])
})

test('the result is typed by the fields', () => {
  const result = validateInput(
    [
      { id: 'email', type: 'email', label: 'E-mail', required: true },
      { id: 'copies', type: 'integer', label: 'Copies' },
      { id: 'ok', type: 'checkbox', label: 'OK', required: true },
      { id: 'terms', type: 'checkbox', label: 'Terms', required: true, const: true },
      {
        id: 'size',
        type: 'radio',
        label: 'Size',
        required: true,
        options: [
          { value: 's', label: 'S' },
          { value: 'm', label: 'M' },
        ],
      },
      { id: 'tags', type: 'multiselect', label: 'Tags', options: [{ value: 'x', label: 'X' }] },
      { id: 'plan', type: 'file', label: 'Plan', required: true },
      { id: 'more', type: 'file', label: 'More', multiple: true },
    ],
    {},
  )
  if (result.ok) {
    expectTypeOf(result.value).toEqualTypeOf<{
      email: string
      ok: boolean
      terms: true
      size: 's' | 'm'
      plan: UploadedFile
      copies?: number
      tags?: 'x'[]
      more?: UploadedFile[]
    }>()
  } else {
    expect(Object.keys(result.problems)).toEqual(['email', 'terms', 'size', 'plan'])
  }
  const loose = validateInput(fields, {})
  if (loose.ok) expectTypeOf(loose.value).toEqualTypeOf<Record<string, unknown>>()
})
