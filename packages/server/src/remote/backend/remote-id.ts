import { refuse } from '../shared/respond.ts'

/** The maximum length of an id that fits into a token. */
const LONGEST = 200
const escaped = (part: string) => encodeURIComponent(part).replaceAll('~', '%7E')

/**
 * Returns the id of a session at its agent: its own id, unless that would be ambiguous. One agent may serve several
 * tenants, so sessions of two tenants must never have the same id.
 */
export function remoteIdOf({ tenant, sessionId }: { tenant: string; sessionId: string }): string {
  const plain = tenant === '' && !sessionId.includes('~')
  const remoteId = plain ? sessionId : `${escaped(tenant)}~${escaped(sessionId)}~`
  if (remoteId.length <= LONGEST) return remoteId
  return refuse(400, 'invalid_message', 'The session id is too long for a remote agent.', { path: 'sessionId' })
}

export function sessionOfRemote(remoteId: string): { tenant: string; sessionId: string } {
  const [, tenant, sessionId] = /^([^~]*)~([^~]+)~$/.exec(remoteId) ?? []
  if (tenant === undefined || sessionId === undefined) return { tenant: '', sessionId: remoteId }
  return { tenant: decodeURIComponent(tenant), sessionId: decodeURIComponent(sessionId) }
}
