import { HoldpointError } from '@holdpoint/core'

/**
 * Names a missing id where it is passed. Without this check a `{ id }` in place of `{ userId }` would create a session
 * without a user, and a missing call id would fail in the store, far from its cause.
 */
export function assertIds(where: string, ids: Readonly<Record<string, unknown>>): void {
  for (const [name, id] of Object.entries(ids)) {
    if (typeof id === 'string' && id !== '') continue
    throw new HoldpointError(
      'invalid_id',
      `${where}: ${name} must be a non-empty string, got ${id === '' ? 'an empty string' : typeof id}.`,
      { details: { name } },
    )
  }
}

/**
 * Nobody reads a `tenantId`, and types let more fields pass than they name: without this all customers would silently
 * be one.
 */
export function assertTenant(where: string, who: object): void {
  const { tenant, tenantId } = who as { tenant?: unknown; tenantId?: unknown }
  if (tenant === undefined ? tenantId === undefined : typeof tenant === 'string') return
  throw new HoldpointError(
    'invalid_id',
    `${where} has ${tenant === undefined ? 'a tenantId' : `a tenant that is ${tenant === null ? 'null' : `a ${typeof tenant}`}`}, and customers are told apart by \`tenant\`, a string. Give \`tenant\`, or leave it out where there is one customer only.`,
    { details: { name: 'tenant' } },
  )
}
