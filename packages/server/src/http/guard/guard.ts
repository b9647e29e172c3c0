/** The facts of a request about its origin. */
export interface Provenance {
  method: string
  host: string | null
  origin: string | null
  /** The header `Sec-Fetch-Site`, which browsers set and scripts of a page cannot. */
  site: string | null
  bearer: boolean
}

export interface GuardRules {
  allowedOrigins: readonly string[]
  /**
   * Exact host names, without ports. `local` allows localhost and IP addresses, so that a page cannot reach a developer's
   * machine under a name of its own (DNS rebinding).
   */
  allowedHosts: readonly string[] | 'local' | 'any'
  /** A host name that is always allowed, because another part of the app is reached under it. */
  ownHost?: string
}

/** Returns the default of `allowedHosts`, which all handlers of this package share. */
export const hostsByDefault = (development = false): 'local' | 'any' =>
  development || onDeveloperMachine() ? 'local' : 'any'

/**
 * Returns whether this process may run on a developer's machine: NODE_ENV is neither `production` nor `test`. Tests are
 * excluded because they call handlers under made-up host names. A process without NODE_ENV counts as a developer's.
 */
export function onDeveloperMachine(): boolean {
  const name = globalThis.process?.env.NODE_ENV
  return name !== 'production' && name !== 'test'
}

const safe = (method: string) => method === 'GET' || method === 'HEAD'

/** Returns whether the server may answer a request with this Host header. */
export function hostAllowed(host: string | null, rules: GuardRules): boolean {
  if (rules.allowedHosts === 'any') return true
  const name = hostName(host)
  if (name === null) return false
  if (name === rules.ownHost) return true
  // A browser sends an IP address as Host only if it loaded the page from that address.
  return isLocalHost(host) || (rules.allowedHosts === 'local' ? isAddress(name) : rules.allowedHosts.includes(name))
}

/**
 * Returns whether a page of this Origin may make this request. A request without an Origin comes from a program or an
 * old browser. It may read, but to write it needs a bearer token, which a foreign page cannot make a browser send.
 */
export function originAllowed(from: Provenance, rules: GuardRules, withoutOrigin = false): boolean {
  if (from.origin === null) {
    return safe(from.method) || from.bearer || withoutOrigin || from.site === 'same-origin'
  }
  if (rules.allowedOrigins.includes(from.origin)) return true
  // Behind a proxy, Host may be an internal name. `Sec-Fetch-Site` still shows that page and server have the same
  // origin.
  return from.site === 'same-origin' || sameHost(from.origin, from.host)
}

/** Returns whether the answer needs CORS headers: `allowedOrigins` lists the Origin, and it is not the server's own. */
export function needsCors(from: Provenance, rules: GuardRules): boolean {
  return from.origin !== null && rules.allowedOrigins.includes(from.origin) && !sameHost(from.origin, from.host)
}

/** Returns whether a host is `localhost`, a name below it, or a loopback address, with any port. */
export function isLocalHost(host: string | null): boolean {
  const name = hostName(host)
  if (name === null) return false
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name)
}

function hostName(host: string | null): string | null {
  if (host === null || host === '' || /[/?#@\\\s]/.test(host)) return null
  try {
    return new URL(`http://${host}`).hostname
  } catch {
    return null
  }
}

const isAddress = (name: string) => name.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)

function sameHost(origin: string, host: string | null): boolean {
  if (host === null || hostName(host) === null) return false
  try {
    const { protocol, host: at } = new URL(origin)
    if (protocol !== 'http:' && protocol !== 'https:') return false
    // Parsed with the Origin's scheme, so that `app.example:443` and `app.example` are equal for https.
    return at === new URL(`${protocol}//${host}`).host
  } catch {
    return false
  }
}
