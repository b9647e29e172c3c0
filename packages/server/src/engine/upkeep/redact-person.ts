/** The replacement for an erased user. The client id is random, but it belonged to that user. */
const ERASED = { clientId: 'erased' }

/** Tool arguments and typed input, which are not redacted. */
const leftAlone: ReadonlySet<string> = new Set(['args', 'draftArgs', 'input', 'payload', 'initialValues'])

/**
 * Returns the value without a person: as the user who answered (in a row, an event, or a tool's result), and in the
 * audience. Returns the same object if it does not contain the user.
 */
export function redactPerson<T>(value: T, userId: string): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => redactPerson(item, userId))
    return items.some((item, index) => item !== value[index]) ? (items as T) : value
  }
  let changed = false
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const next = leftAlone.has(key) ? item : isPerson(key, item, userId) ? ERASED : withoutOne(key, item, userId)
    changed ||= next !== item
    return [key, next]
  })
  return changed ? (Object.fromEntries(entries) as T) : value
}

function withoutOne(key: string, item: unknown, userId: string): unknown {
  if (key !== 'audience' || !Array.isArray(item)) return redactPerson(item, userId)
  return item.includes(userId) ? item.filter((one) => one !== userId) : item
}

function isPerson(key: string, item: unknown, userId: string): boolean {
  if (key !== 'respondedBy' && key !== 'by') return false
  if (typeof item !== 'object' || item === null || !('userId' in item) || !('clientId' in item)) return false
  return item.userId === userId
}
