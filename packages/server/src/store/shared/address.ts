/**
 * Returns where stores of these addresses keep their rows: hosts, ports, database and namespace, without the
 * credentials, which are secret and may change. Undefined if an address is not a URL.
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
