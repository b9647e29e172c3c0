import { HoldpointError } from '@holdpoint/core'
import { isLocalHost } from '../../http/guard/guard.ts'

/**
 * Rejects, at start, options that are only for a developer's machine: NODE_ENV must be development, and the address
 * must be this machine's.
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
