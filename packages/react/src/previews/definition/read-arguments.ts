import { visible } from '../../wording/escape.ts'
import type { PreviewField, PreviewProps } from './define-preview.tsx'

/** The arguments that a preview shows, and those that are left for rows. */
export interface ReadArguments extends PreviewProps {
  readonly rest: Readonly<Record<string, unknown>>
}

/** Divides arguments into those that a preview shows and the rest; undefined if all of them have to be rows. */
export function readArguments(
  fields: Readonly<Record<string, PreviewField>>,
  args: unknown,
): ReadArguments | undefined {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return undefined
  // Arguments are sent as JSON, so values that JSON omits do not run either.
  const rest = JSON.parse(JSON.stringify(args)) as Record<string, unknown>
  const values: Record<string, unknown> = {}
  const found: Record<string, string> = {}
  for (const [field, { names = [field], accepts, required = false }] of Object.entries(fields)) {
    const name = names.find((one) => Object.hasOwn(rest, one))
    if (name !== undefined && accepts(rest[name])) {
      if (!isPlain(rest[name])) return undefined
      values[field] = rest[name]
      found[field] = name
      delete rest[name]
    } else if (required) return undefined
  }
  return { values, names: found, rest } as ReadArguments
}

/** True if no text of a value contains characters that change how others are shown, or that show nothing. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return visible(value) === value
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => isPlain(key) && isPlain(inner))
}
