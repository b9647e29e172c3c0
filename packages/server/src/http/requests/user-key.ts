import type { Principal } from '../../base/principal.ts'

/** One user of one tenant as a Map key; a `tenant` cannot be chosen so that two of them meet. */
export const userKey = ({ tenant = '', userId }: Principal): string => `${tenant.length} ${tenant}${userId}`
