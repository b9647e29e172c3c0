import type { SessionRecord } from '../api/engine.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { sessionsTag } from '../records/keys.ts'

const PAGE = 50
const LARGEST = 200

/** One page of the sessions that belong to a user. */
export async function listSessions(
  kernel: Kernel,
  { tenant = '', userId, after, limit = PAGE }: { tenant?: string; userId: string; after?: string; limit?: number },
): Promise<{ sessions: SessionRecord[]; next?: string }> {
  await kernel.ready()
  const { rows, next } = await kernel.store.byTag(sessionsTag(tenant, userId), {
    limit: Math.max(1, Math.min(limit, LARGEST)),
    ...(after !== undefined && { after }),
  })
  return { sessions: kernel.rows.all('session', rows).map(sessionRecord), ...(next !== undefined && { next }) }
}

/** Returns the public part of a session's row. */
export const sessionRecord = ({ tenant, sessionId, userId }: SessionRecord): SessionRecord => ({
  tenant,
  sessionId,
  userId,
})
