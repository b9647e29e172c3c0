import { HoldpointError } from '@holdpoint/core'

/**
 * Throws for a missing id, and names the function that received it. Without this check, `{ id }` in place of `{ userId
 * }` would create a session without a user, and a missing tool call id would only fail later in the store.
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
 * Rejects a `tenantId`, which no code reads. Types accept additional fields, so without this check the data of all
 * customers would be mixed.
 */
export function assertTenant(where: string, owner: object): void {
  const { tenant, tenantId } = owner as { tenant?: unknown; tenantId?: unknown }
  if (tenant === undefined ? tenantId === undefined : typeof tenant === 'string') return
  throw new HoldpointError(
    'invalid_id',
    `${where} has ${tenant === undefined ? 'a tenantId' : `a tenant that is ${tenant === null ? 'null' : `a ${typeof tenant}`}`}, but customers are distinguished by \`tenant\`, a string. Pass \`tenant\`, or omit it if there is only one customer.`,
    { details: { name: 'tenant' } },
  )
}
