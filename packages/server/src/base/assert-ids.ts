import { HoldpointError } from '@holdpoint/core'
import { schemas } from '@holdpoint/core/protocol'

/**
 * Returns whether a value can be an id. The wire and every store have the same rule: 1 to 256 characters, without
 * control characters and lone surrogates.
 */
export const isId = (value: unknown): value is string => schemas.id.safeParse(value).success

/**
 * Throws for a value that is no id, and names the function that received it. Without this check, `{ id }` in place of
 * `{ userId }` would create a session without a user, and an id with a NUL character would only fail later in the store.
 */
export function assertIds(where: string, ids: Readonly<Record<string, unknown>>): void {
  for (const [name, id] of Object.entries(ids)) {
    if (!isId(id)) throw invalidId(`${where}: ${name} ${faultOf(id)}.`, name)
  }
}

/**
 * Rejects a `tenantId`, which no code reads. Types accept additional fields, so without this check the data of all
 * customers would be mixed.
 */
export function assertTenant(where: string, owner: object): void {
  const { tenant, tenantId } = owner as { tenant?: unknown; tenantId?: unknown }
  if (tenant === undefined ? tenantId === undefined : typeof tenant === 'string') {
    if (tenant === undefined || tenant === '' || isId(tenant)) return
    throw invalidId(`${where}: tenant ${faultOf(tenant)}.`, 'tenant')
  }
  throw invalidId(
    `${where} has ${tenant === undefined ? 'a tenantId' : `a tenant that is ${tenant === null ? 'null' : `a ${typeof tenant}`}`}, but customers are distinguished by \`tenant\`, a string. Pass \`tenant\`, or omit it if there is only one customer.`,
    'tenant',
  )
}

/** Returns the user that a function received, with the tenant filled in. Throws `invalid_id` if one of both is invalid. */
export function assertUser(
  where: string,
  who: { userId: string; tenant?: string | undefined },
): {
  userId: string
  tenant: string
} {
  const { userId, tenant = '' } = who ?? ({} as { userId: string })
  assertIds(where, { userId })
  assertTenant(where, who)
  return { userId, tenant }
}

function faultOf(id: unknown): string {
  if (typeof id !== 'string' || id === '') {
    return `must be a non-empty string, got ${id === '' ? 'an empty string' : typeof id}`
  }
  // The value is not shown, because control characters would garble the log.
  return 'must have at most 256 characters, and no control characters or lone surrogates'
}

const invalidId = (message: string, name: string) => new HoldpointError('invalid_id', message, { details: { name } })
