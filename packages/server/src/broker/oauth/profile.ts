import type { GuardedFetch } from '../../security/outbound/guarded-fetch.ts'
import type { IssuedTokens } from './oauth.ts'
import { OAuthFailure } from './oauth-failure.ts'
import type { OAuthProvider } from './provider.ts'

/** The person that an account belongs to. These are personal data, so they are encrypted together with the tokens. */
export interface Profile {
  accountId: string
  /** The id of the person who consented, unique at this service; null if the service does not report it. */
  personId: string | null
  user: Record<string, string>
  metadata: Record<string, string>
}

/** Determines the account of a new token, as the provider's definition describes. */
export async function readProfile(
  provider: OAuthProvider,
  tokens: IssuedTokens,
  fetch: GuardedFetch,
): Promise<Profile> {
  const { profile } = provider
  const { from } = profile
  const source =
    from === 'id_token'
      ? tokens.claims
      : from === 'token_response'
        ? tokens.response
        : await ask(from.url, tokens, fetch, from.headers)
  const accountId = at(source, profile.accountId)
  if (!accountId) {
    throw new OAuthFailure(provider, 'no_account', `did not identify the account, at "${profile.accountId}"`)
  }
  // Additional facts about the account. If this request fails, the account is still stored.
  const more = profile.metadataUrl ? await ask(profile.metadataUrl, tokens, fetch).catch(() => null) : source
  const user = pick(source, profile.user)
  const personId = personOf(profile.personId, accountId, source)
  return { accountId, personId, user: { account_id: accountId, ...user }, metadata: pick(more, profile.metadata) }
}

/** Returns the name that people see for an account: the one that its owner uses at the service. */
export function accountName({ user, accountId }: Profile): string {
  return user.name ?? user.display_name ?? user.username ?? user.email ?? accountId
}

function personOf(path: string | null | undefined, accountId: string, source: unknown): string | null {
  if (path === undefined) return accountId
  const person = path === null ? undefined : at(source, path)
  return person ? `${accountId}:${person}` : null
}

async function ask(
  url: string,
  tokens: IssuedTokens,
  fetch: GuardedFetch,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...headers, authorization: `Bearer ${tokens.accessToken}` },
  })
  return response.ok ? response.json().catch(() => null) : null
}

function pick(source: unknown, paths: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(paths).flatMap(([name, path]) => {
      const value = at(source, path)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Returns the text or number at a dotted path. A value that is too long for a name is ignored. */
function at(source: unknown, path: string): string | undefined {
  let value = source
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' && value.length <= 2_048 ? value : undefined
}
