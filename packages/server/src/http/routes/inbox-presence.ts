import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import { checkBody } from '../requests/check-body.ts'
import { jsonResponse, type Outgoing } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'

const said = z.looseObject({ clientId: schemas.id, visible: z.boolean() })

/** `POST /inbox/presence`: whether a page that shows the inbox is visible. While it is, its user counts as looking. */
export async function inboxPresence({ engine, principal, json }: UserContext): Promise<Outgoing> {
  const { clientId, visible } = checkBody(said, await json())
  await engine.presence.inbox(principal, { clientId, visible })
  return jsonResponse(200, { status: 'accepted' })
}
