import { refuse } from '../shared/respond.ts'

/** The longest id that fits into a token. */
const LONGEST = 200
const escaped = (part: string) => encodeURIComponent(part).replaceAll('~', '%7E')

/**
 * A session's name at its agent: its own, unless that would be ambiguous. One agent may serve several tenants, and no
 * session of one may be named so that it reads as another's.
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
