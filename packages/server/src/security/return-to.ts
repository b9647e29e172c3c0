/**
 * Returns the address to which a browser may be redirected after a flow: a path on the origin of `base`, or a URL of an
 * allowed origin. Returns null for all others. Browsers read `\` as `/`, drop control characters, and treat text before
 * `@` as credentials, so addresses that use these are rejected.
 */
export function safeReturnTo(returnTo: string, base: string, allowedOrigins: readonly string[]): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  if (returnTo.length > 2_048 || /[\\\u0000-\u0020\u007f]/.test(returnTo)) return null
  if (!returnTo.startsWith('/') && !/^https?:\/\/[^/]/i.test(returnTo)) return null
  if (returnTo.startsWith('//') || !URL.canParse(returnTo, base)) return null
  const url = new URL(returnTo, base)
  if (url.username || url.password) return null
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const own = new URL(base).origin
  return url.origin === own || allowedOrigins.includes(url.origin) ? url.href : null
}

/**
 * Returns a loopback address (RFC 8252), at which the program that started the flow listens on the same machine, or
 * null.
 */
export function safeLoopback(address: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  if (/[\\\u0000-\u0020\u007f]/.test(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  const loopback = url.hostname === '127.0.0.1' || url.hostname === '[::1]'
  const plain = !url.username && !url.password && !url.search && !url.hash
  return url.protocol === 'http:' && loopback && url.port !== '' && plain ? url.href : null
}
