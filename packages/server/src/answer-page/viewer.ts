import { isHoldpointError } from '@holdpoint/core'
import type { Principal } from '../base/principal.ts'
import type { InteractionRecord } from '../engine/api/interactions.ts'
import type { Holdpoint } from '../holdpoint.ts'
import { appOf, engineOf } from '../http/mounted.ts'
import type { HttpResponse } from '../http/responses/http-response.ts'
import type { RouteContext } from '../http/routing/route.ts'

/** The user of a request and the interaction that the address names. */
export interface Viewer {
  principal: Principal
  record: InteractionRecord
  /** The time of the store when it returned the interaction. */
  now: number
  /** `link`: only the address identifies the user. */
  via: 'login' | 'link'
}

/**
 * The reason why the interaction is not shown. `other_user`: the link belongs to a user other than the signed-in one.
 */
export type NoViewer = 'sign_in' | 'unknown' | 'other_user'

/** Returns the signed-in user and the interaction, if this user may see it. */
export async function viewerByLogin(holdpoint: Holdpoint, context: RouteContext): Promise<Viewer | NoViewer> {
  const principal = await signedIn(holdpoint, context)
  if (!principal) return 'sign_in'
  const { session: sessionId = '', interaction: interactionId = '' } = context.params
  const found = await visibleTo(holdpoint, principal, sessionId, interactionId)
  return found ? { principal, ...found, via: 'login' } : 'unknown'
}

/** Returns the user and the interaction of a link. If a user is signed in too, it must be the same user. */
export async function viewerByLink(holdpoint: Holdpoint, context: RouteContext): Promise<Viewer | NoViewer> {
  const link = await holdpoint.links.open(context.params.token ?? '')
  if (!link) return 'unknown'
  const { principal, sessionId, interactionId } = link
  const present = await signedIn(holdpoint, context)
  if (present && !isSame(present, principal)) return 'other_user'
  const found = await visibleTo(holdpoint, present ?? principal, sessionId, interactionId)
  return found ? { principal: present ?? principal, ...found, via: present ? 'login' : 'link' } : 'unknown'
}

/** Counts one request. The holder of a link may be another person, whose flood must not lock the user out of the app. */
export function limited(holdpoint: Holdpoint, { principal, record, via }: Viewer): HttpResponse | undefined {
  const own = { ...principal, userId: `link ${record.interactionId} ${principal.userId}` }
  return appOf(holdpoint).limited(via === 'link' ? own : principal)
}

const isSame = (one: Principal, other: Principal) =>
  one.userId === other.userId && (one.tenant ?? '') === (other.tenant ?? '')

async function signedIn(holdpoint: Holdpoint, { incoming }: RouteContext): Promise<Principal | null> {
  try {
    return await appOf(holdpoint).identify(incoming.toRequest())
  } catch (error) {
    if (isHoldpointError(error, 'not_authenticated')) return null
    throw error
  }
}

/** Returns the interaction if the user may read its session, or belongs to its audience. */
async function visibleTo(holdpoint: Holdpoint, principal: Principal, sessionId: string, interactionId: string) {
  const tenant = principal.tenant ?? ''
  const found = await engineOf(holdpoint).reads.interaction({ tenant, sessionId }, interactionId)
  if (!found) return null
  if (found.record.audience.includes(principal.userId)) return found
  return (await holdpoint.sessions.get({ principal, sessionId })) ? found : null
}
