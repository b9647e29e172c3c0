import { type ErrorCode, errorStatus, type Permission } from '@holdpoint/core/internal'
import { isId } from '../../base/assert-ids.ts'
import type { Principal } from '../../base/principal.ts'
import { assertNotInOtherInstance } from '../../development.ts'
import type { Reply, SessionRecord } from '../api/engine.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { SESSION_ROW, sessionPartition } from '../records/keys.ts'
import { audienceOf } from '../state/question.ts'
import type { QuestionRow, SessionRow } from '../state/rows.ts'

export const tenantOf = (principal: Principal): string => principal.tenant ?? ''

export function permissions(): readonly Permission[] {
  return ['read', 'respond', 'remember', 'cancel', 'extend', 'connect', 'inbox']
}

/**
 * Returns whether a user may do something: by the host's rule, otherwise by ownership, and for answering by the
 * audience.
 */
export async function may(
  kernel: Kernel,
  principal: Principal,
  action: Permission,
  session: Pick<SessionRow, 'sessionId' | 'userId'>,
  row?: QuestionRow,
): Promise<boolean> {
  // Owners may remember their own approvals. For other users the host decides.
  if (action === 'remember' && principal.userId === session.userId) return true
  const audience = row ? audienceOf(row) : []
  const { authorize } = kernel.settings
  if (authorize) {
    const interaction = row && { interactionId: row.id, kind: row.kind, toolName: row.toolName, audience }
    const { sessionId, userId: owner } = session
    return await authorize({ principal, action, sessionId, owner, ...(interaction && { interaction }) })
  }
  if (principal.userId === session.userId) return true
  return (action === 'respond' || action === 'extend') && audience.includes(principal.userId)
}

/**
 * Returns the session if it exists and the principal may do `action`, else null. Only the log distinguishes the two
 * reasons. Pass `owner` if it is known, so that the session's row need not be read.
 */
export async function accessSession(
  kernel: Kernel,
  principal: Principal,
  sessionId: string,
  action: Permission,
  owner?: string,
): Promise<SessionRecord | null> {
  // Ids can be from an address. No session has this one.
  if (!isId(sessionId)) return null
  await kernel.ready()
  const tenant = tenantOf(principal)
  const partition = sessionPartition(tenant, sessionId)
  const userId =
    owner ?? (await kernel.transact(partition, async (tx) => (await tx.read(['session', SESSION_ROW]))[0]))?.userId
  if (userId === undefined) {
    await assertNotInOtherInstance(kernel, partition, SESSION_ROW)
    kernel.log.debug('refused: unknown session', { sessionId, action })
    return null
  }
  if (!(await may(kernel, principal, action, { sessionId, userId }))) {
    kernel.log.info('refused: not allowed', { sessionId, action, userId: principal.userId })
    return null
  }
  return { tenant, sessionId, userId }
}

export interface RefusalFacts {
  message?: string
  retryAfterMs?: number
  [fact: string]: unknown
}

/** Returns an error in the format of the protocol. */
export function refusal(code: ErrorCode, { message = sentences[code] ?? code, ...facts }: RefusalFacts = {}): Reply {
  const { retryAfterMs } = facts
  return {
    status: errorStatus[code],
    body: { error: { code, message, ...facts } },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

/** The same text for an unknown session and for another user's session, so that a stranger cannot tell them apart. */
export const noSuchSessionText =
  'Session not found, or you do not have access to it. It may not have started yet: retry in a moment, or check the session id and the signed-in user.'

const sentences: Partial<Record<ErrorCode, string>> = {
  not_found: noSuchSessionText,
  unknown_interaction:
    'This session has no such question of this tool call. It may have ended long ago: read a snapshot for the open questions.',
  unknown_run:
    'This session has no such run. It may have ended long ago: read a snapshot for the runs that are active.',
  forbidden: 'You may read this session but not do this. Its owner may, and users whom the host allows to.',
  settling: 'The deadline of the question has passed, and its tool is deciding how to continue. Try again in a moment.',
  already_answered:
    'Another answer to this question was first. Your answer was not recorded; respondedBy names the winner.',
  answer_id_reused:
    'This answerId was used for another answer. Create a new id for each answer, and repeat it only to retry.',
  shown_differs:
    'The question on screen is not the open one. This answer was not recorded; show the open question and ask again.',
  not_extendable:
    'The deadline of this question cannot be extended: extensions are not allowed, or the question has ended. Answer before expiresAt.',
  not_interactive: 'This client has switched questions off. Switch them on to answer.',
  expired: 'The question expired before this answer arrived. This answer was not recorded; the agent may ask again.',
  cancelled: 'The question was cancelled, so it accepts no answer. This answer was not recorded.',
  superseded: 'Another question has replaced this one. Answer the newer one.',
  action_not_allowed:
    'This kind of question cannot be answered in this way. Approvals take approve, deny or cancel; forms submit, decline or cancel; connections decline or cancel.',
  scope_not_offered:
    'This approval scope was not offered. Pass one of the question’s approvalScopes, or none to approve once.',
  invalid_input: 'The answer does not fit the question; see fieldErrors. The question is still open.',
  not_configured:
    'This server is not configured for this request. Pass `accounts` or `userActions` to createHoldpoint().',
  accounts_unavailable: 'The service that holds the accounts cannot be reached. Try again in a moment.',
  store_unavailable: 'The server cannot reach its database. Nothing was lost; try again in a moment.',
}
