import { HoldpointError } from '@holdpoint/core'

/** A page that another program wants the user to open. */
export interface Page {
  url: string
  /** The host as the browser resolves it, with letters of other scripts in punycode. */
  host: string
  /** True if the host has letters of other scripts, which can imitate another host. */
  looksAlike: boolean
}

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/

/**
 * Reads the address of a page. Throws for addresses that are not `http` or `https`, and for those with a user name,
 * which can hide the host.
 */
export function pageOf(address: unknown): Page {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
  if (!url) throw invalid('it is not an absolute web address')
  const isLocal = url.protocol === 'http:' && LOCAL.test(url.hostname)
  if (url.protocol !== 'https:' && !isLocal) throw invalid('only https: addresses can be opened')
  if (url.username !== '' || url.password !== '') throw invalid('an address with a user name hides its host')
  return { url: url.href, host: url.host, looksAlike: url.hostname.split('.').some((part) => part.startsWith('xn--')) }
}

function invalid(why: string): HoldpointError {
  return new HoldpointError('unsupported_schema', `The page cannot be opened: ${why}.`, { details: { keyword: 'url' } })
}
