/** Splits a path or a pattern, such as `/sessions/:session/events`, into its segments. */
export function splitPattern(pattern: string): readonly string[] {
  return pattern.split('/').filter((part) => part !== '')
}

/**
 * Matches the *end* of a path, so that the mount point need not be configured: `/api/holdpoint/sessions/a%2Fb/events`
 * matches `/sessions/:session/events` with the session `a/b`. Returns null if the path does not match, or if its
 * percent-encoding is invalid.
 */
export function matchEnd(pattern: readonly string[], path: readonly string[]): Record<string, string> | null {
  const offset = path.length - pattern.length
  if (offset < 0) return null
  // Compares constant segments first, because they rule out most patterns before anything is decoded.
  for (let index = 0; index < pattern.length; index++) {
    const part = pattern[index] ?? ''
    if (!part.startsWith(':') && part !== path[offset + index]) return null
  }
  const params: Record<string, string> = {}
  for (let index = 0; index < pattern.length; index++) {
    const part = pattern[index] ?? ''
    if (!part.startsWith(':')) continue
    const value = decoded(path[offset + index] ?? '')
    if (value === null) return null
    params[part.slice(1)] = value
  }
  return params
}

export interface Match<R> {
  route: R
  params: Record<string, string>
}

/**
 * Returns the routes at a path, for all methods. If several patterns match, the longest ones win, because they are the
 * most specific. With `whole`, the whole path must match, so that no other spelling of it reaches a route that a proxy
 * guards.
 */
export function matchRoutes<R extends { pattern: readonly string[] }>(
  routes: readonly R[],
  path: string,
  whole = false,
): Match<R>[] {
  const parts = splitPattern(path)
  if (whole && path !== `/${parts.join('/')}`) return []
  let longest = 0
  let matches: Match<R>[] = []
  for (const route of routes) {
    const { length } = route.pattern
    if (length < longest || (whole && length !== parts.length)) continue
    const params = matchEnd(route.pattern, parts)
    if (!params) continue
    if (length > longest) matches = []
    longest = length
    matches.push({ route, params })
  }
  return matches
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
