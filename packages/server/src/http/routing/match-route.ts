/** A path's pattern, split once: `/sessions/:session/events`. */
export function splitPattern(pattern: string): readonly string[] {
  return pattern.split('/').filter((part) => part !== '')
}

/**
 * Matches the *end* of a path, so that a mount point needs no configuring: `/api/holdpoint/sessions/a%2Fb/events` is
 * the events of session `a/b`. Null when it is another path, or is not valid percent-encoding.
 */
export function matchEnd(pattern: readonly string[], path: readonly string[]): Record<string, string> | null {
  const offset = path.length - pattern.length
  if (offset < 0) return null
  // Constant segments first: they distinguish most patterns, and the others need no decoding.
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
 * The routes at a path, whatever their method. Of several patterns the longest says most. With `whole` the path has
 * nothing besides the route, so that no other spelling of it reaches a route that a proxy guards.
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
