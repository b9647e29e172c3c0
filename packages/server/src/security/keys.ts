import type { Principal } from '../base/principal.ts'
import type { RowRef } from '../store/port.ts'

/**
 * Returns the name of a partition for accounts and tokens. Rows that commit together share a partition: one user's
 * accounts, one flow, one family of refresh tokens. Every part is escaped, so that names cannot collide.
 */
const partitionName = (kind: string, ...parts: string[]) => ['conn', kind, ...parts.map(encodeURIComponent)].join('/')

/**
 * Returns the partition of a user's accounts. It is also the tag of the user's families of refresh tokens, so that all
 * of them can be revoked.
 */
export const userPartition = ({ tenant, userId }: Principal) => partitionName('user', tenant ?? '', userId)

const single = (kind: string, key: string): RowRef => ({
  partition: partitionName(kind, key),
  kind: `conn_${kind}`,
  id: kind,
})

export const flowRef = (stateHash: string) => single('flow', stateHash)
export const sessionRef = (sessionHash: string) => single('session', sessionHash)
export const familyRef = (familyId: string) => single('family', familyId)
export const confirmationRef = (tokenHash: string) => single('confirmation', tokenHash)
export const conversationRef = (sessionHash: string) => single('conversation', sessionHash)
export const identityRef = (integration: string, accountHash: string) =>
  single('identity', `${integration} ${accountHash}`)

export const ACCOUNT = 'conn_account'
export const accountRef = (owner: Principal, id: string): RowRef => ({
  partition: userPartition(owner),
  kind: ACCOUNT,
  id,
})

/** Kinds of rows that expire. Each row has its own partition. */
export const EXPIRING = ['conn_flow', 'conn_family', 'conn_confirmation', 'conn_conversation'] as const
