/** Returns whether two JSON-like values are equal. A missing key equals an undefined one. */
export function same(a: unknown, b: unknown): boolean {
  try {
    return a === b || JSON.stringify(a) === JSON.stringify(b)
  } catch {
    // An answer may contain a value without a JSON form. It cannot be sent, and must do no other harm.
    return false
  }
}

/** Returns the previous value if nothing changed, so that it keeps its identity. */
export const keep = <T>(before: T, after: T): T => (same(before, after) ? before : after)
