import { HoldpointError } from '@holdpoint/core'
import { isLocalHost } from '../../http/guard/guard.ts'

/**
 * Throws for options that are only for a developer's machine, unless NODE_ENV is `development` and the address is a
 * loopback address.
 */
export function assertLocalOnly(what: string, url?: string): void {
  const name = globalThis.process?.env.NODE_ENV
  if (name !== 'development') {
    throw new HoldpointError(
      'development_only',
      `${what} works with NODE_ENV=development only, and NODE_ENV is ${name ? `"${name}"` : 'not set'}. Remove it from this environment.`,
    )
  }
  if (url === undefined || (URL.canParse(url) && isLocalHost(new URL(url).host))) return
  throw new HoldpointError(
    'development_only',
    `${what} must be an address of this machine, such as http://localhost:15552.`,
  )
}
