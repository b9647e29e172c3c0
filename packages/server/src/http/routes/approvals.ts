import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import { checkBody } from '../requests/check-body.ts'
import { type Outgoing, responseOfReply } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'

const revoked = z.strictObject({ toolName: schemas.id, key: z.unknown().refine((key) => key !== undefined) })

/** `GET /approvals`: lists the remembered approvals of this user. */
export async function approvals({ engine, principal }: UserContext): Promise<Outgoing> {
  return responseOfReply(await engine.approvals(principal))
}

/**
 * `POST /approvals/revoke` with `{ toolName, key }`: deletes a remembered approval, so that the next call asks again.
 */
export async function revokeApproval({ engine, principal, json }: UserContext): Promise<Outgoing> {
  const { toolName, key } = checkBody(revoked, await json())
  return responseOfReply(await engine.revokeApproval(principal, { toolName, key }))
}
