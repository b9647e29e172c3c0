import { isIP } from 'node:net'
import { HoldpointError } from '@holdpoint/core'
import { isLoopback } from './ranges.ts'

export interface UrlRules {
  /**
   * Host names that may be called: `api.example.com`, or `*.example.com` for everything below it. If omitted, any host
   * on the open internet is allowed; omit it only for addresses from your own configuration.
   */
  allowedHosts?: readonly string[]
  /** For development: `http:` and loopback addresses are allowed too. */
  allowLoopback?: boolean
}

/**
 * Returns the URL if its text permits a request; otherwise throws `url_not_allowed`. DNS is checked when connecting.
 */
export function guardUrl(address: string | URL, rules: UrlRules): URL {
  const url = parseUrl(address)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const loopback = rules.allowLoopback === true && (isLoopback(host) || host === 'localhost')
  if (url.protocol !== 'https:' && !(loopback && url.protocol === 'http:')) refuse('only https is allowed')
  if (url.username || url.password) refuse('it carries credentials')
  if (host.endsWith('.')) refuse('its host ends with a dot')
  if (!loopback && isIP(host)) refuse('its host is an IP address, not a name')
  if (!loopback && rules.allowedHosts && !rules.allowedHosts.some((allowed) => matches(host, allowed))) {
    refuse('its host is not among those that are allowed')
  }
  return url
}

function matches(host: string, allowed: string): boolean {
  const name = allowed.toLowerCase()
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length > name.length - 1 : host === name
}

function parseUrl(address: string | URL): URL {
  try {
    return new URL(address)
  } catch {
    return refuse('it cannot be read')
  }
}

/** The message does not contain the address, because the address may contain secrets. */
export function refuse(why: string): never {
  throw new HoldpointError('url_not_allowed', `This address may not be called: ${why}.`)
}
