import { fieldsOf } from './conditions.ts'
import type { FormSpec } from './types.ts'

/**
 * Returns an answer for the log: secrets become `{ secret: true }`, and values outside the form are removed (a secret
 * may have been sent under another name).
 *
 * @example redactInput(fields, { user: 'ada', password: 'hunter2' }) // { user: 'ada', password: { secret: true } }
 */
export function redactInput(schema: FormSpec, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    fieldsOf(schema)
      .filter(({ id }) => Object.hasOwn(input, id))
      .map(({ id, type }) => [id, type === 'secret' ? { secret: true } : input[id]]),
  )
}
