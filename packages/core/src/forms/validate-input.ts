import { PatternChecks } from './pattern.ts'
import { problem } from './problem.ts'
import { readValue } from './read-value.ts'
import type { FieldProblem, FieldSpec, FormSpec, InferInput, ValidationResult } from './types.ts'

/** More than these nobody reads, and somebody may have sent a hundred thousand. */
const UNKNOWN_FIELDS_NAMED = 20

/** Settings of `validateInput` that differ between browser and server. */
export interface ValidateOptions {
  /**
   * Read a date and time without a time zone in this machine's zone. For the browser, where
   * `<input type="datetime-local">` hands in such; never on a server, whose zone is not the person's.
   */
  localTime?: boolean
}

/**
 * Checks what a form handed in against its fields, and turns it into the JSON values that the fields stand for. Both
 * ends run it; send `value`, not the raw input. Says everything that is wrong, by field, not only the first fault.
 *
 * Nothing typed or chosen is no answer: required fields miss it, others are left out of `value`. A field that was not
 * handed in at all takes its `defaultValue`; a required checkbox that was not is `false`. With `const: true` only a ticked one is an answer.
 *
 * @example
 * const checked = validateInput([{ id: 'copies', type: 'integer', label: 'Copies', required: true }], { copies: '3' })
 * if (checked.ok) print(checked.value.copies)   // the number 3
 * else show(checked.problems)                   // { copies: [{ code: 'not_integer', message: '…' }] }
 */
export function validateInput<const S extends FormSpec>(
  schema: S,
  input: unknown,
  { localTime = false }: ValidateOptions = {},
): ValidationResult<InferInput<S>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { ok: false, problems: { '': [problem('type', { expected: 'an object' })] } }
  }
  const problems = new Map<string, FieldProblem[]>()
  const values = new Map<string, unknown>()
  const fields = fieldsOf(schema)
  const patterns = new PatternChecks()
  for (const field of fields) {
    const found: FieldProblem[] = []
    const read = readValue(
      field,
      givenOrDefault(field, input),
      (code, params) => void found.push(problem(code, params)),
      localTime,
      patterns,
    )
    const ticked = field.type === 'checkbox' && field.const
    const value = ticked && !read ? undefined : read
    if (value !== undefined) values.set(field.id, value)
    else if (field.required && !found.length) {
      if (field.type === 'checkbox' && !ticked) values.set(field.id, false)
      else found.push(problem(ticked ? 'not_ticked' : 'required'))
    }
    if (found.length) problems.set(field.id, found)
  }
  const known = new Set(fields.map(({ id }) => id))
  const unknown = Object.keys(input).filter((id) => !known.has(id))
  for (const id of unknown.slice(0, UNKNOWN_FIELDS_NAMED)) problems.set(id, [problem('unknown_field')])
  // Object.fromEntries defines: a field called `__proto__` is a field like any other.
  return problems.size
    ? { ok: false, problems: Object.fromEntries(problems) }
    : { ok: true, value: Object.fromEntries(values) as InferInput<S> }
}

/** The fields of a form, however it was given. */
export function fieldsOf(schema: FormSpec): readonly FieldSpec[] {
  return 'fields' in schema ? schema.fields : schema
}

function givenOrDefault(field: FieldSpec, input: object): unknown {
  const given = Object.hasOwn(input, field.id) ? (input as Record<string, unknown>)[field.id] : undefined
  return given === undefined && 'defaultValue' in field ? field.defaultValue : given
}
