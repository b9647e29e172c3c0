/** Whether two JSON-like values say the same; a missing key and an undefined one do. */
export function same(a: unknown, b: unknown): boolean {
  try {
    return a === b || JSON.stringify(a) === JSON.stringify(b)
  } catch {
    // An answer may hold what has no JSON text. It cannot be sent, and must do no other harm.
    return false
  }
}

/** What was there, when nothing changed: so it keeps its identity. */
export const keep = <T>(before: T, after: T): T => (same(before, after) ? before : after)
