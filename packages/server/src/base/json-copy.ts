/** Deeper values are passed to JSON itself, which also detects a value that contains itself. */
const DEEPEST = 100

/**
 * Returns the same as `JSON.parse(JSON.stringify(value))`, but copies plain data directly. Throws the errors of
 * `JSON.stringify`, and returns undefined for values that JSON omits.
 */
export function jsonCopy(value: unknown): unknown {
  const copied = copy(value, 0)
  if (copied !== unusual) return copied
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Marks a value that only JSON itself can copy: one with a `toJSON`, of a class, or nested too deeply. */
const unusual = Symbol('unusual')

function copy(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      // JSON has no -0.
      return Number.isFinite(value) ? value + 0 : null
    case 'object':
      break
    case 'bigint':
    case 'function':
      return unusual
    default:
      return undefined
  }
  if (value === null) return null
  if (depth === DEEPEST || typeof (value as { toJSON?: unknown }).toJSON === 'function') return unusual
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Array.prototype) return copyArray(value as readonly unknown[], depth)
  return prototype === Object.prototype || prototype === null
    ? copyObject(value as Readonly<Record<string, unknown>>, depth)
    : unusual
}

function copyArray(from: readonly unknown[], depth: number): unknown {
  const to: unknown[] = []
  for (let index = 0; index < from.length; index++) {
    const item = copy(from[index], depth + 1)
    if (item === unusual) return unusual
    to.push(item === undefined ? null : item)
  }
  return to
}

function copyObject(from: Readonly<Record<string, unknown>>, depth: number): unknown {
  const to: Record<string, unknown> = {}
  for (const key of Object.keys(from)) {
    // Assigning this key would set the prototype of the copy.
    if (key === '__proto__') return unusual
    const item = copy(from[key], depth + 1)
    if (item === unusual) return unusual
    if (item !== undefined) to[key] = item
  }
  return to
}
