import { cancelSession } from './cancel.ts'
import { decodeRow } from './codec.ts'
import type { Core } from './core.ts'
import { presencePartition, sessionPartition, sessionsTag, userPartition } from './names.ts'
import type { SessionRow } from './rows.ts'

const PAGE = 100

/** Ends whatever goes on in a session, then drops all of it: questions, answers, secrets, uploads, log. */
export async function eraseSession(core: Core, tenant: string, sessionId: string): Promise<void> {
  await core.ready()
  const partition = sessionPartition(tenant, sessionId)
  await cancelSession(core, partition, sessionId, 'erased')
  await core.store.erase(partition)
  await core.store.erase(presencePartition(tenant, sessionId))
}

/** Drops a user's sessions, remembered approvals and account flows. Returns how many sessions there were. */
export async function eraseUser(core: Core, tenant: string, userId: string): Promise<number> {
  await core.ready()
  let erased = 0
  for (;;) {
    const { rows } = await core.store.byTag(sessionsTag(tenant, userId), { limit: PAGE })
    for (const { data } of rows) {
      await eraseSession(core, tenant, (decodeRow('session', data) as SessionRow).sessionId)
      erased++
    }
    if (rows.length === 0) break
  }
  await core.store.erase(userPartition(tenant, userId))
  return erased
}
