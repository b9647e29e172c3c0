import type { FieldSpec } from '@holdpoint/core/internal'

/** Kinds whose values are plain text, numbers or choices. A kind that a newer server adds may be a secret. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['text', 'textarea', 'email', 'url', 'number', 'integer', 'date', 'datetime', 'money', 'daterange', 'phone'],
  ...['select', 'radio', 'multiselect', 'checkbox'],
])
/** The autocomplete values that browsers hide or fill from a password manager. */
const SENSITIVE = /password|one-time-code|^cc-|webauthn/

/** The values that may be written to a storage of the browser: no secrets, no files. */
export function storableValues(
  fields: readonly FieldSpec[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const plain = fields.filter(({ type, autocomplete }) => PLAIN.has(type) && !SENSITIVE.test(autocomplete ?? ''))
  return Object.fromEntries(plain.flatMap(({ id }) => (Object.hasOwn(values, id) ? [[id, values[id]]] : [])))
}
