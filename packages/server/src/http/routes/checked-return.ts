import { originAllowed } from '../guard/guard.ts'
import { refuse } from '../requests/refuse.ts'
import type { UserContext } from '../routing/route.ts'

/** The address to which a browser returns from a service, and the origins that a provider which checks it again may trust. */
interface CheckedReturn {
  returnTo?: string
  trustedOrigins?: readonly string[]
}

/** Refuses a `returnTo` that leads to another origin than this app, and warns the host. */
export function checkedReturn(context: UserContext, returnTo: string | undefined): CheckedReturn {
  if (returnTo === undefined) return {}
  const own = context.incoming.header('origin')
  // The guard has accepted the Origin of this request. Behind a proxy that rewrites Host, only Origin names the page.
  const trustedOrigins = own === null ? context.rules.allowedOrigins : [...context.rules.allowedOrigins, own]
  if (returnAllowed(returnTo, trustedOrigins, context)) return { returnTo, trustedOrigins }
  const origin = URL.canParse(returnTo) ? new URL(returnTo).origin : 'none'
  context.warn('A returnTo was refused. If its page is yours, add its origin to allowedOrigins of createHoldpoint().', {
    origin,
  })
  refuse(
    'return_not_allowed',
    'This returnTo leads to another origin than this server knows. Pass a path, or add the origin to security.allowedOrigins.',
    { path: 'returnTo' },
  )
}

/**
 * Returns whether `returnTo` belongs to this app. An authorization server redirects people, and sometimes codes, to
 * this address.
 */
function returnAllowed(returnTo: string, trusted: readonly string[], { incoming, rules }: UserContext): boolean {
  // Browsers read backslashes as slashes and drop control characters, so `/\evil.example` is not a path.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  if (/[\\\u0000-\u0020]/.test(returnTo)) return false
  if (returnTo.startsWith('/')) return !returnTo.startsWith('//')
  if (!URL.canParse(returnTo)) return false
  const { protocol, origin } = new URL(returnTo)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  if (trusted.includes(origin)) return true
  return originAllowed({ method: 'POST', host: incoming.header('host'), origin, site: null, bearer: false }, rules)
}
