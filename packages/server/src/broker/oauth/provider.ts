import { HoldpointError } from '@holdpoint/core'

/** Where a service reports the account of a token. Paths are dotted: `owner.user.id`, `0.url`. */
export interface ProfileDefinition {
  /** The answer of the token endpoint, a validated ID token, or a GET with the new token. */
  from: 'token_response' | 'id_token' | { url: string; headers?: Readonly<Record<string, string>> }
  /** Permanent for one account of the service, even if it is renamed. */
  accountId: string
  /**
   * The person who consented, if `accountId` belongs to several people (a workspace). `null`: the service does not
   * report it, so it cannot be used to sign in. Omitted: `accountId` is a person.
   */
  personId?: string | null
  /** Shown to its owner: `{ name: 'display_name', email: 'email' }`. */
  user?: Readonly<Record<string, string>>
  metadata?: Readonly<Record<string, string>>
  /** A second GET with the token, for `metadata` only. */
  metadataUrl?: string
}

/** A service that can be connected, described as data from its OAuth documentation. */
export interface ProviderDefinition {
  /** `slack`, `google-docs`: lower case, as tools request it. */
  id: string
  /** As people know it. */
  name: string
  authorizationEndpoint: string
  tokenEndpoint: string
  /** Compared with the `iss` of answers and ID tokens; the origin of the authorization endpoint unless given. */
  issuer?: string
  /** The service includes `iss` in every response (RFC 9207): a response without it is rejected. */
  sendsIssuer?: boolean
  /** RFC 8628, for terminals. */
  deviceEndpoint?: string
  /** RFC 7009, asked when an account is disconnected. */
  revocationEndpoint?: string
  /** For ID tokens that are signed with another algorithm than RS256. */
  idTokenAlg?: string
  /** Asked for unless a tool asks for others. */
  scopes: readonly string[]
  /** Always asked for as well: to know whose account it is, to get refresh tokens. */
  baseScopes?: readonly string[]
  /** A blank unless given. */
  scopeSeparator?: ',' | ' '
  /** More of the authorization request: `{ access_type: 'offline' }`. */
  authorizationParams?: Readonly<Record<string, string>>
  /** How the client proves itself at the token endpoint; in the body unless given. */
  clientAuth?: 'post' | 'basic' | 'none'
  /** The token endpoint wants JSON. */
  tokenBody?: 'form' | 'json'
  /** Reports errors as `{ "ok": false, "error": … }` with status 200. */
  errorsIn200?: boolean
  /** The field of its errors that has the code, if it is not `error`. */
  errorField?: string
  /** Its own token types, besides `bearer`. */
  tokenTypes?: readonly Lowercase<string>[]
  /** Error codes that mean what `invalid_grant` means. */
  lostGrantErrors?: readonly string[]
  profile: ProfileDefinition
}

/** The credentials that a service issued when you registered your app. */
export interface ClientCredentials {
  clientId: string
  /** Omitted for public clients (`clientAuth: 'none'`). */
  clientSecret?: string
  /** Instead of the definition's default scopes. */
  scopes?: readonly string[]
}

/** A service together with your registration there. */
export type Provider = ProviderDefinition & ClientCredentials

/**
 * Describes a service once; calling what it gives adds your registration.
 *
 * @example
 * const linear = defineProvider({
 *   id: 'linear',
 *   name: 'Linear',
 *   authorizationEndpoint: 'https://linear.app/oauth/authorize',
 *   tokenEndpoint: 'https://api.linear.app/oauth/token',
 *   scopes: ['read', 'write'],
 *   profile: { from: { url: 'https://api.example.com/me' }, accountId: 'id', user: { name: 'name' } },
 * })
 * createConnections({ providers: [linear({ clientId: '…', clientSecret: '…' })], ...others })
 */
export function defineProvider(definition: ProviderDefinition): (client: ClientCredentials) => Provider {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(definition.id)) {
    throw invalid(definition.id, 'its id must be lower-case letters, digits, - and _')
  }
  const urls = [definition.authorizationEndpoint, definition.tokenEndpoint, definition.deviceEndpoint]
  for (const url of [...urls, definition.revocationEndpoint, definition.issuer]) {
    if (url !== undefined && !URL.canParse(url)) throw invalid(definition.id, `"${url}" is not a URL`)
  }
  return (client) => {
    if (!client.clientId) throw invalid(definition.id, 'clientId is missing')
    if (!client.clientSecret && definition.clientAuth !== 'none')
      throw invalid(definition.id, 'clientSecret is missing')
    return { ...definition, ...client }
  }
}

/** Sorted and without duplicates: the scopes to request if some were granted and others are needed. */
export function unionScopes(...lists: readonly (readonly string[] | undefined)[]): string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))].sort()
}

function invalid(id: string, why: string): HoldpointError {
  return new HoldpointError('invalid_provider', `The provider "${id}" cannot be used: ${why}.`)
}
