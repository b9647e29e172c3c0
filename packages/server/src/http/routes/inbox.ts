import { isHoldpointError } from '@holdpoint/core'
import { isSettledCursor } from '../../engine/inbox/settled-page.ts'
import { refuse } from '../requests/refuse.ts'
import { jsonResponse, type Outgoing } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'

/** `GET /inbox`: the open questions of the user, or with `?state=settled` those that have ended, newest first. */
export async function inbox(context: UserContext): Promise<Outgoing> {
  const { engine, principal, query, reads, history } = context
  const after = query.get('next')
  const limit = Math.min(100, Math.max(1, Math.floor(Number(query.get('limit') ?? 50)) || 50))
  const options = { limit, ...(after !== null && { after }) }
  const state = query.get('state') ?? 'open'
  if (state === 'settled') {
    if (after !== null && !isSettledCursor(after)) refuseCursor()
    return jsonResponse(200, await history.run(context, () => engine.settled(principal, options)))
  }
  if (state !== 'open') refuse('invalid_message', '`state` must be `open` or `settled`.', { path: 'state' })
  const page = reads.run(context, () => engine.inbox(principal, options))
  return jsonResponse(200, await (after === null ? page : page.catch(unreadablePage)))
}

/** Refuses a page cursor that the store could not read; only the store knows its format. */
function unreadablePage(error: unknown): never {
  if (!isHoldpointError(error, 'store_invalid')) throw error
  refuseCursor()
}

function refuseCursor(): never {
  refuse('invalid_cursor', 'This `next` is none that the inbox gave. Begin again without it.')
}
