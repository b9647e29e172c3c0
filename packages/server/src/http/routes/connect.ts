import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import { originAllowed } from '../guard/guard.ts'
import { checkBody } from '../requests/check-body.ts'
import { refuse } from '../requests/refuse.ts'
import { type Outgoing, responseOfReply } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'
import { sessionOf } from './events.ts'

const connectBody = z.looseObject({
  interactionId: schemas.id,
  integration: schemas.id,
  returnTo: z.string().max(2_048).optional(),
})

/** `POST /sessions/:session/connect`: starts connecting one account of a question. */
export async function connectAccount(context: UserContext): Promise<Outgoing> {
  const sessionId = sessionOf(context.params)
  const { interactionId, integration, returnTo } = checkBody(connectBody, await context.json())
  const own = context.incoming.header('origin')
  // The guard has accepted the Origin of this request. Behind a proxy that rewrites Host, only Origin names the page.
  const trustedOrigins = own === null ? context.rules.allowedOrigins : [...context.rules.allowedOrigins, own]
  if (returnTo !== undefined && !returnAllowed(returnTo, trustedOrigins, context)) {
    const origin = URL.canParse(returnTo) ? new URL(returnTo).origin : 'none'
    context.warn(
      'A returnTo was refused. If its page is yours, add its origin to allowedOrigins of createHoldpoint().',
      {
        origin,
      },
    )
    refuse(
      'return_not_allowed',
      'This returnTo leads to another origin than this server knows. Pass a path, or add the origin to security.allowedOrigins.',
      {
        path: 'returnTo',
      },
    )
  }
  const back = returnTo === undefined ? {} : { returnTo, trustedOrigins }
  const body = { interactionId, integration, ...back }
  return responseOfReply(await context.engine.connect(context.principal, sessionId, body))
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
