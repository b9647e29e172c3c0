import type { Environment } from '../../base/environment.ts'
import { toBase64Url } from '../../security/hashes.ts'

/**
 * Names of partitions, rows and tags: the one place that knows how they are put together. Ids come from outside, so the
 * separator is escaped in them: no tenant can name a session that reads as another tenant's.
 */
const escaped = (part: string) => (/[%/]/.test(part) ? part.replaceAll('%', '%25').replaceAll('/', '%2F') : part)
const join = (first: string, ...parts: string[]) => {
  let name = escaped(first)
  for (const part of parts) name += `/${escaped(part)}`
  return name
}

/** Written out, for every request asks for it. */
export const sessionPartition = (tenant: string, sessionId: string) => `s/${escaped(tenant)}/${escaped(sessionId)}`
/** The session of a partition that `sessionPartition` named. */
export const sessionIdOf = (partition: string) =>
  (partition.split('/')[2] ?? '').replaceAll('%2F', '/').replaceAll('%25', '%')
/** Approvals that are remembered for always, and flows of connecting accounts. */
export const userPartition = (tenant: string, userId: string) => join('u', tenant, userId)
/** Apart from the session's own rows, so that a heartbeat of a tab wakes no stream. */
export const presencePartition = (tenant: string, sessionId: string) => join('p', tenant, sessionId)
/** Presence of a user in the inbox, which shows the questions of all sessions. */
export const inboxPresencePartition = (tenant: string, userId: string) => join('l', tenant, userId)
export const nodesPartition = 'n'
/** Written by a node that shuts down, so that the others wake up; heartbeats wake no node. */
export const goodbyePartition = 'n/goodbye'

export const SESSION_ROW = 'session'
/** The turn that streams, or the last turn of one thread. */
export const turnId = (thread?: string) => (thread === undefined ? 'turn' : join('turn', thread))
export const callId = (runId: string, toolCallId: string) => join(runId, toolCallId)
export const journalId = (call: string, entry: string) => `${call}/${escaped(entry)}`

/** Messages about a question begin with `sentId(interactionId)`. */
export const sentId = (interactionId: string, ...surfaceAndUser: string[]) =>
  `${join(interactionId, ...surfaceAndUser)}`
export const questionTag = (interactionId: string) => join('i', interactionId)
export const inboxTag = (tenant: string, userId: string) => join('q', tenant, userId)
/** All questions of a tenant that a person can answer. */
export const pendingTag = (tenant: string) => join('t', tenant)
export const ownerTag = (incarnation: string) => join('o', incarnation)
export const accountTag = (tenant: string, userId: string, integration: string) =>
  join('a', tenant, userId, integration)
export const rememberedTag = (tenant: string, userId: string) => join('g', tenant, userId)
export const sessionsTag = (tenant: string, userId: string) => join('w', tenant, userId)
/** Sessions of other people whose rows and log name this user. */
export const namedTag = (tenant: string, userId: string) => join('b', tenant, userId)
/** An answer link, by the hash of its token. */
export const linkTag = (hash: string) => join('k', hash)
export const PARKED_TAG = 'parked'
export const RUNNING_TAG = 'delivery/running'
export const FAILING_TAG = 'delivery/failing'
export const DEAD_TAG = 'delivery/dead'
/** Of a delivery that is in one of these states. */
export const deliveryTag = (deliveryId: string) => join('d', deliveryId)

const END_OF_TIME = 36 ** 9

/** Unguessable, and sorted newest first, because lists of ended questions begin with the newest. */
export function newInteractionId(environment: Environment, now: number): string {
  const age = (END_OF_TIME - 1 - Math.max(0, Math.floor(now))).toString(36).padStart(9, '0')
  return `q${age}${randomId(environment)}`
}

/** 128 unguessable bits. */
export function randomId(environment: Environment): string {
  return toBase64Url(environment.randomBytes(16))
}
