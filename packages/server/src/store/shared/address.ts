/**
 * Returns the place where stores of these addresses persist their rows: hosts, ports, database and namespace.
 * Credentials are left out, because they are secret and may change. Returns undefined if an address is not a URL.
 */
export function placeOf(urls: readonly (string | undefined)[], own: string): string | undefined {
  try {
    const places = urls.map((url) => {
      // The environment defines the address.
      if (url === undefined) return ''
      const { host, pathname } = new URL(url)
      return host + pathname
    })
    return [...places.sort(), own].join(' ')
  } catch {
    return undefined
  }
}
