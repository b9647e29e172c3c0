import { HoldpointError } from '@holdpoint/core'
import { isLocalHost } from '../../http/guard/guard.ts'

/**
 * What is only for a developer's own machine is refused anywhere else, when the app starts: it must be said by
 * NODE_ENV=development, and the address must be this machine's.
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
