import type { Principal } from '../../base/principal.ts'
import { hashOf, randomToken } from '../../security/hashes.ts'
import { sessionRef } from '../../security/keys.ts'
import { changeRow, readRow } from '../../store/shared/change-row.ts'
import type { Broker } from '../shared/broker.ts'

/** The session of a program's `session_id`. The id is stored as a hash, and is not a credential. */
export interface SessionRow {
  createdAt: number
  /** The user that the first connected service determined. */
  owner?: Principal
}

export interface Session {
  hash: string
  row: SessionRow
}

export async function findSession(broker: Broker, sessionId: string): Promise<Session | null> {
  return findSessionByHash(broker, await hashOf(sessionId))
}

/** Finds a session by its hash, which session tokens contain. */
export async function findSessionByHash({ store }: Broker, hash: string): Promise<Session | null> {
  const { row } = await readRow<SessionRow>(store, sessionRef(hash))
  return row && { hash, row }
}

export async function createSession(broker: Broker): Promise<{ sessionId: string; session: Session }> {
  const sessionId = `session_${randomToken(broker.environment.randomBytes)}`
  const hash = await hashOf(sessionId)
  const row = await changeRow<SessionRow, SessionRow>(broker, sessionRef(hash), (existing, now) => {
    const made = existing ?? { createdAt: now }
    return { put: made, result: made }
  })
  return { sessionId, session: { hash, row } }
}

/** Assigns a session to the user of its first connected service. A session that has an owner keeps it. */
export function assignSession(broker: Broker, hash: string, owner: Principal): Promise<void> {
  return changeRow<SessionRow, void>(broker, sessionRef(hash), (row, now) => {
    if (row?.owner) return { result: undefined }
    return { put: { createdAt: row?.createdAt ?? now, owner }, result: undefined }
  })
}
