import { fieldsOf, givenOrDefault, isAsked } from './conditions.ts'
import { PatternChecks } from './pattern.ts'
import { problem } from './problem.ts'
import { readValue } from './read-value.ts'
import type { FieldProblem, FormSpec, InferInput, ValidationResult } from './types.ts'

/** The maximum number of reported problems, because an attacker may send a hundred thousand. */
const UNKNOWN_FIELDS_NAMED = 20

/** Settings of `validateInput` that differ between browser and server. */
export interface ValidateOptions {
  /**
   * Reads a date and time without a time zone in this machine's zone. For the browser, where `<input
   * type="datetime-local">` submits such values; never for a server, whose zone differs from the person's.
   */
  localTime?: boolean
}

/**
 * Checks the submitted values of a form and converts them to the JSON values of the fields. Client and server both call
 * it; send `value`, not the raw input. Reports all problems by field, not only the first.
 *
 * An empty value is no answer: required fields report it as missing, others are omitted from `value`. A field that was
 * not submitted gets its `defaultValue`; a required checkbox that was not submitted is `false`. With `const: true` only
 * a ticked checkbox is an answer. A field whose `when` does not hold is not asked: a value for it is rejected
 * (`not_asked`), because the person did not see the field.
 *
 * @example
 * const checked = validateInput([{ id: 'copies', type: 'integer', label: 'Copies', required: true }], {
 *   copies: '3',
 * })
 * if (checked.ok)
 *   print(checked.value.copies) // the number 3
 * else show(checked.problems) // { copies: [{ code: 'not_integer', message: '…' }] }
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
    if (!isAsked(field, values)) {
      // If the answer that it depends on is invalid, it is not known yet whether it is asked.
      const undecided = field.when && problems.has(field.when.field)
      if (!undecided && isGiven(input, field.id)) problems.set(field.id, [problem('not_asked')])
      continue
    }
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
  // Object.fromEntries defines properties, so a field named `__proto__` is an ordinary field.
  return problems.size
    ? { ok: false, problems: Object.fromEntries(problems) }
    : { ok: true, value: Object.fromEntries(values) as InferInput<S> }
}

/** Whether a value was submitted, as a control that was shown submits it. */
function isGiven(input: object, id: string): boolean {
  const value = Object.hasOwn(input, id) ? (input as Record<string, unknown>)[id] : undefined
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}
