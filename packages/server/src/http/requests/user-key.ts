import type { Principal } from '../../base/principal.ts'

/**
 * Returns a Map key for one user of one tenant. The length prefix makes it unique for every combination of tenant and
 * user id.
 */
export const userKey = ({ tenant = '', userId }: Principal): string => `${tenant.length} ${tenant}${userId}`
