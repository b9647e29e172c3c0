import { HoldpointError } from '@holdpoint/core'

/** The properties that a value must keep when it is written as JSON. */
export interface JsonRules {
  /** The subject of the error message: `The key of an approval`. */
  what: string
  /**
   * `identity`: two different values must have two different texts, so nothing may be dropped. `display`: the person
   * must see the complete value; absent properties and dates keep their meaning.
   */
  for: 'identity' | 'display'
}

/**
 * Throws `invalid_request`, with the place and the kind of the offending value, when JSON would change or drop part of a
 * value: a `Set` becomes `{}`, `NaN` becomes `null`, a promise becomes `{}`.
 */
export function assertJsonValue(value: unknown, rules: JsonRules, path = '', above: readonly object[] = []): void {
  const fault = faultOf(value, rules)
  if (fault !== undefined) throw lossy(rules, path, fault)
  if (typeof value !== 'object' || value === null || value instanceof Date) return
  if (above.includes(value)) throw lossy(rules, path, 'contains itself')
  const inside = [...above, value]
  if (Array.isArray(value)) {
    // Iterates by index, so that holes of a sparse array are found.
    for (let index = 0; index < value.length; index++) {
      assertJsonValue(value[index], rules, `${path}[${index}]`, inside)
    }
    return
  }
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined && rules.for === 'display') continue
    assertJsonValue(item, rules, path ? `${path}.${name}` : name, inside)
  }
}

function faultOf(value: unknown, rules: JsonRules): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : `is ${value}`
    case 'object':
      return value === null || Array.isArray(value) ? undefined : objectFault(value, rules)
    case 'undefined':
      return 'is undefined'
    default:
      return `is a ${typeof value}`
  }
}

function objectFault(value: object, rules: JsonRules): string | undefined {
  if ('then' in value && typeof value.then === 'function') return 'is a promise (await it first)'
  if (rules.for === 'display' && 'toJSON' in value && typeof value.toJSON === 'function') return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  const plain = prototype === null || Object.getPrototypeOf(prototype) === null
  if (!plain) return `is a ${value.constructor?.name || 'class instance'}`
  if ('toJSON' in value && typeof value.toJSON === 'function') return 'has its own toJSON'
  return Object.getOwnPropertySymbols(value).length > 0 ? 'has a symbol as property name' : undefined
}

function lossy({ what, for: purpose }: JsonRules, path: string, fault: string): HoldpointError {
  const location = path ? `"${path}" ` : 'it '
  const why =
    purpose === 'identity' ? 'two different values would become one' : 'the person would not see the value that is used'
  return new HoldpointError(
    'invalid_request',
    `${what} does not survive JSON: ${location}${fault}, so ${why}. Use strings, finite numbers, booleans, null, arrays and plain objects.`,
    { details: { path } },
  )
}
