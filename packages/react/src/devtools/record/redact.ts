import type { HoldpointEvent } from '@holdpoint/core'

/** Replaces a secret. */
export const REDACTED = '[redacted]'

/** Names of values that must not reach a screenshot or a bug report. */
const SECRET_NAME =
  /^(?:.*[-_.])?(?:password|passwd|passphrase|secret|token|api[-_]?key|apikey|private[-_]?key|authorization|cookie|credential|otp|pin|cvc|cvv|iban|card[-_]?number)s?$/i
const CAMEL = /([a-z\d])([A-Z])/g
/** Values that are secrets under any name: bearer headers, JSON web tokens, keys of known services. */
const SECRET_VALUE =
  /\b(?:Bearer\s+[\w.~+/=-]{8,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|(?:sk|pk|rk|ghp|gho|ghs|xox[abprs]|glpat|AKIA)[-_]?[\w-]{12,})/g
const SECRET_PARAMETER = /([?&#](?:code|token|access_token|id_token|state|key|secret|signature|sig)=)[^&#\s"]*/gi

/** Returns a copy for screens and fixtures, without secrets. The values of `secret` fields go whatever their name is. */
export function redact(event: HoldpointEvent, secretFields: ReadonlySet<string> = new Set()): HoldpointEvent {
  return clean(event, secretFields) as HoldpointEvent
}

/** Ids of the `secret` fields of all forms that were asked for. */
export function secretFieldsOf(events: readonly { event: HoldpointEvent }[]): ReadonlySet<string> {
  const ids = new Set<string>()
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) collect(one)
    else if (typeof value === 'object' && value !== null) {
      const { id, type } = value as { id?: unknown; type?: unknown }
      if (type === 'secret' && typeof id === 'string') ids.add(id)
      for (const one of Object.values(value)) collect(one)
    }
  }
  for (const { event } of events) if (event.type === 'interaction_request') collect(event.inputSchema)
  return ids
}

function clean(value: unknown, secrets: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return value.replace(SECRET_VALUE, REDACTED).replace(SECRET_PARAMETER, `$1${REDACTED}`)
  if (Array.isArray(value)) return value.map((one) => clean(one, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecret(name, inner, secrets) ? REDACTED : clean(inner, secrets),
    ]),
  )
}

function isSecret(name: string, value: unknown, secrets: ReadonlySet<string>): boolean {
  if (typeof value === 'boolean' || value === null || value === undefined) return false
  // A number is a limit or a count, as in `max_tokens`, unless the form says that it is a secret.
  return secrets.has(name) || (typeof value !== 'number' && SECRET_NAME.test(name.replace(CAMEL, '$1_$2')))
}
