import type { SessionSnapshot } from '@holdpoint/core/internal'
import { parseClientMessage } from '@holdpoint/core/protocol'
import { cursorAt } from '@holdpoint/core/wire'
import type { Principal } from '../../base/principal.ts'
import { permissions } from '../../engine/access/authorize.ts'
import type { Engine } from '../../engine/api/engine.ts'
import { NO_EPOCH } from '../../store/shared/limits.ts'
import { Recheck } from '../guard/recheck.ts'
import { refuse } from '../requests/refuse.ts'
import { jsonResponse, type Outgoing, responseOfReply } from '../responses/http-response.ts'
import { deliverMessage } from '../routing/messages.ts'
import type { Route, UserContext } from '../routing/route.ts'
import { approvals, revokeApproval } from './approvals.ts'
import { connectAccount } from './connect.ts'
import { events, sessionOf } from './events.ts'
import { inbox } from './inbox.ts'
import { inboxPresence } from './inbox-presence.ts'
import { sharedEvents } from './shared-events.ts'
import { setToolSetting, toolSettings } from './tool-settings.ts'
import { upload } from './upload.ts'

/** The routes below the mount point. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/sessions/:session/events', handle: events },
  { method: 'POST', path: '/sessions/events', handle: sharedEvents },
  { method: 'GET', path: '/sessions/:session', handle: snapshot },
  { method: 'POST', path: '/sessions/:session/messages', handle: message },
  { method: 'POST', path: '/sessions/:session/connect', handle: connectAccount },
  { method: 'POST', path: '/sessions/:session/uploads', contentType: 'application/octet-stream', handle: upload },
  { method: 'GET', path: '/inbox', handle: inbox },
  { method: 'POST', path: '/inbox/presence', handle: inboxPresence },
  { method: 'GET', path: '/approvals', handle: approvals },
  { method: 'POST', path: '/approvals/revoke', handle: revokeApproval },
  { method: 'GET', path: '/tool-settings', handle: toolSettings },
  { method: 'POST', path: '/tool-settings', handle: setToolSetting },
]

async function snapshot(context: UserContext): Promise<Outgoing> {
  const { engine, principal, params, reads } = context
  const sessionId = sessionOf(params)
  const page = await reads.run(context, async () => {
    const session = await engine.access(principal, sessionId, 'read')
    return session ? await engine.snapshot(principal, session) : await emptySnapshot(engine, principal)
  })
  return jsonResponse(200, page)
}

/**
 * Returns the snapshot of a session that does not exist yet or that this principal may not read. Both are empty, so
 * that they cannot be distinguished. `can` has an owner's permissions, because the session may be created for this
 * principal a moment later. The time is the store's, as are the deadlines of the questions that follow: the clock of
 * this node may differ.
 */
async function emptySnapshot({ store }: Engine, { userId }: Principal): Promise<SessionSnapshot> {
  const { now } = await store.load([])
  return {
    cursor: cursorAt(NO_EPOCH, null),
    serverTime: new Date(now).toISOString(),
    you: { userId, can: [...permissions()] },
    runs: [],
    interactions: [],
  }
}

async function message({ engine, principal, params, body, clock, reauthenticate }: UserContext): Promise<Outgoing> {
  const sessionId = sessionOf(params)
  const recheck = new Recheck(clock, reauthenticate)
  const parsed = parseClientMessage(await body(engine.limits.messageBytes), engine.limits)
  if (!parsed.ok) return responseOfReply(parsed)
  // A user can sign out while a slow body arrives.
  if (!(await recheck.isLoginValid())) refuse('not_authenticated', 'The login has ended. Log in and try again.')
  return responseOfReply(await deliverMessage(engine, principal, sessionId, parsed.value))
}
