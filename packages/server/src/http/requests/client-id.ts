import { schemas } from '@holdpoint/core/protocol'
import { refuse } from './refuse.ts'

/** Returns the client id of a query string as a list of one or none. */
export function clientIdsOf(query: URLSearchParams): readonly string[] {
  const clientId = clientIdOf(query)
  return clientId === null ? [] : [clientId]
}

/** Returns the client id of a query string, or null if it has none. Throws `invalid_message` for a malformed id. */
export function clientIdOf(query: URLSearchParams): string | null {
  const given = query.get('client')
  if (given === null) return null
  const parsed = schemas.id.safeParse(given)
  return parsed.success
    ? parsed.data
    : refuse('invalid_message', 'The client id is empty, too long or holds control characters.', { path: 'client' })
}
