import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import { refuse } from '../requests/refuse.ts'
import { type Outgoing, responseOfReply } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'

const revoked = z.strictObject({ toolName: schemas.id, key: z.unknown() })

/** `GET /approvals`: lists the remembered approvals of this user. */
export async function approvals({ engine, principal }: UserContext): Promise<Outgoing> {
  return responseOfReply(await engine.approvals(principal))
}

/**
 * `POST /approvals/revoke` with `{ toolName, key }`: deletes a remembered approval, so that the next call asks again.
 */
export async function revokeApproval({ engine, principal, json }: UserContext): Promise<Outgoing> {
  const parsed = revoked.safeParse(await json())
  if (!parsed.success || parsed.data.key === undefined) {
    const path = parsed.error?.issues[0]?.path.join('.') ?? 'key'
    refuse('invalid_message', `The request is malformed at ${path || 'its root'}.`, { path })
  }
  return responseOfReply(await engine.revokeApproval(principal, parsed.data))
}
