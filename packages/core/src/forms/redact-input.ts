import type { FormSpec } from './types.ts'
import { fieldsOf } from './validate-input.ts'

/**
 * An answer as it may be recorded: secrets become `{ secret: true }`, and what is no field of the form is left out (a
 * secret may have been sent under another name).
 *
 * @example
 * redactInput(fields, { user: 'ada', password: 'hunter2' })   // { user: 'ada', password: { secret: true } }
 */
export function redactInput(schema: FormSpec, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    fieldsOf(schema)
      .filter(({ id }) => Object.hasOwn(input, id))
      .map(({ id, type }) => [id, type === 'secret' ? { secret: true } : input[id]]),
  )
}
