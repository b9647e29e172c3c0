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
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const given = path[offset + index] ?? ''
    if (!part.startsWith(':')) {
      if (part !== given) return null
      continue
    }
    const value = decoded(given)
    if (value === null) return null
    params[part.slice(1)] = value
  }
  return params
}

export interface Match<R> {
  route: R
  params: Record<string, string>
}

/** The routes at a path, whatever their method. Of several patterns the longest says most. */
export function matchRoutes<R extends { pattern: readonly string[] }>(routes: readonly R[], path: string): Match<R>[] {
  const parts = splitPattern(path)
  const matches = routes.flatMap((route) => {
    const params = matchEnd(route.pattern, parts)
    return params ? [{ route, params }] : []
  })
  const longest = Math.max(0, ...matches.map(({ route }) => route.pattern.length))
  return matches.filter(({ route }) => route.pattern.length === longest)
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
