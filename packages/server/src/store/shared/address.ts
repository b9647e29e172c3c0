/**
 * Where stores of these addresses keep their rows: hosts, ports and database, and what is theirs in it. Without the
 * credentials, which are nobody's business and may change. Undefined where an address is not a URL.
 */
export function placeOf(urls: readonly (string | undefined)[], own: string): string | undefined {
  try {
    const places = urls.map((url) => {
      // The environment says where.
      if (url === undefined) return ''
      const { host, pathname } = new URL(url)
      return host + pathname
    })
    return [...places.sort(), own].join(' ')
  } catch {
    return undefined
  }
}
