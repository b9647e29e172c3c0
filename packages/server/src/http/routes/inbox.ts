import { isSettledCursor } from '../../engine/inbox/settled-page.ts'
import { refuse } from '../requests/refuse.ts'
import { jsonResponse, type Outgoing } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'
import { pageOf, refuseCursor, unreadablePage } from './page-of.ts'

/** `GET /inbox`: the open questions of the user, or with `?state=settled` those that have ended, newest first. */
export async function inbox(context: UserContext): Promise<Outgoing> {
  const { engine, principal, query, reads, history } = context
  const options = pageOf(query)
  const { after } = options
  const state = query.get('state') ?? 'open'
  if (state === 'settled') {
    if (after !== undefined && !isSettledCursor(after)) refuseCursor()
    return jsonResponse(200, await history.run(context, () => engine.settled(principal, options)))
  }
  if (state !== 'open') refuse('invalid_message', '`state` must be `open` or `settled`.', { path: 'state' })
  const page = reads.run(context, () => engine.inbox(principal, options))
  return jsonResponse(200, await (after === undefined ? page : page.catch(unreadablePage)))
}
