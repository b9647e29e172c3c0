/** The facts of a request about its origin. */
export interface Provenance {
  method: string
  host: string | null
  origin: string | null
  /** `Sec-Fetch-Site`: browsers set it and pages cannot. */
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
  /** The name under which this server is known to be reached. */
  ownHost?: string
}

/** The rule of `allowedHosts` that applies when the option is not set: the same for every handler of this package. */
export const hostsByDefault = (development = false): 'local' | 'any' =>
  development || onDeveloperMachine() ? 'local' : 'any'

/**
 * Whether this process may be a developer's machine: neither production nor a test run, which calls handlers under
 * names of its own. A process without NODE_ENV counts as one.
 */
export function onDeveloperMachine(): boolean {
  const name = globalThis.process?.env.NODE_ENV
  return name !== 'production' && name !== 'test'
}

const safe = (method: string) => method === 'GET' || method === 'HEAD'

/** Whether this Host may be answered at all. */
export function hostAllowed(host: string | null, rules: GuardRules): boolean {
  if (rules.allowedHosts === 'any') return true
  const name = hostName(host)
  if (name === null) return false
  if (name === rules.ownHost) return true
  // A browser sends an IP address as Host only if it loaded the page from that address.
  return isLocalHost(host) || (rules.allowedHosts === 'local' ? isAddress(name) : rules.allowedHosts.includes(name))
}

/**
 * Whether a page at this Origin may do this. Without an Origin there is no browser, or an old one: then reading is
 * free, and writing needs a bearer token, which no page can make a browser send by itself.
 */
export function originAllowed(from: Provenance, rules: GuardRules, withoutOrigin = false): boolean {
  if (from.origin === null) {
    return safe(from.method) || from.bearer || withoutOrigin || from.site === 'same-origin'
  }
  if (rules.allowedOrigins.includes(from.origin)) return true
  // Behind a proxy the Host may be an inner name; the browser still knows that page and server are the same.
  return from.site === 'same-origin' || sameHost(from.origin, from.host)
}

/** True for an Origin that is not the server's own, and was allowed by name: it needs CORS headers. */
export function needsCors(from: Provenance, rules: GuardRules): boolean {
  return from.origin !== null && rules.allowedOrigins.includes(from.origin) && !sameHost(from.origin, from.host)
}

/** `localhost`, a name below it, or a loopback address, with any port. */
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
    // Through the same scheme, so that `app.example:443` and `app.example` are one.
    return at === new URL(`${protocol}//${host}`).host
  } catch {
    return false
  }
}
