import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import { checkBody } from '../requests/check-body.ts'
import { type Outgoing, responseOfReply } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'
import { pageOf, unreadablePage } from './page-of.ts'

const revoked = z.strictObject({ toolName: schemas.id, key: z.unknown().refine((key) => key !== undefined) })

/** `GET /approvals`: lists the remembered approvals of this user, page by page. */
export async function approvals(context: UserContext): Promise<Outgoing> {
  const { engine, principal, query, reads } = context
  const page = pageOf(query)
  const reply = reads.run(context, () => engine.approvals(principal, page))
  return responseOfReply(await (page.after === undefined ? reply : reply.catch(unreadablePage)))
}

/**
 * `POST /approvals/revoke` with `{ toolName, key }`: deletes a remembered approval, so that the next call asks again.
 */
export async function revokeApproval(context: UserContext): Promise<Outgoing> {
  const { engine, principal, reads, json } = context
  const { toolName, key } = checkBody(revoked, await json())
  // It reads all remembered approvals, too.
  return responseOfReply(await reads.run(context, () => engine.revokeApproval(principal, { toolName, key })))
}
