/** Whether two plain JSON-like values say the same; a missing key and an undefined one do. */
export function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  return (
    Object.keys(left).every((key) => equal(left[key], right[key])) &&
    Object.keys(right).every((key) => key in left || right[key] === undefined)
  )
}
