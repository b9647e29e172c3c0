import type { FieldErrors } from '@holdpoint/core/internal'

/** Converts a schema's issues for a form: errors by field, and one sentence for issues of the whole input. */
export function issuesByField(issues: readonly { path: readonly PropertyKey[]; message: string }[]): {
  error?: string
  fieldErrors: FieldErrors
} {
  const fieldErrors: FieldErrors = {}
  const whole: string[] = []
  for (const { path, message } of issues) {
    const field = path[0]
    if (field === undefined) whole.push(message)
    else fieldErrors[String(field)] = [...(fieldErrors[String(field)] ?? []), message]
  }
  return { ...(whole.length > 0 && { error: whole.join(' ') }), fieldErrors }
}
