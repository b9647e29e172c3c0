import { HoldpointError } from '@holdpoint/core'

/** Where a service reports the account of a token. Paths are dotted: `owner.user.id`, `0.url`. */
export interface ProfileDefinition {
  /**
   * Where the facts come from: the response of the token endpoint, a validated ID token, or a GET with the new token.
   */
  from: 'token_response' | 'id_token' | { url: string; headers?: Readonly<Record<string, string>> }
  /** The path of an id that stays the same for one account of the service, even if the account is renamed. */
  accountId: string
  /**
   * The path of the id of the person who consented, if `accountId` belongs to several people (a workspace). Pass `null`
   * if the service does not report it; the service then cannot be used to sign in. If omitted, `accountId` is a person.
   */
  personId?: string | null
  /** The paths of facts that the owner sees: `{ name: 'display_name', email: 'email' }`. */
  user?: Readonly<Record<string, string>>
  metadata?: Readonly<Record<string, string>>
  /** The address of a second GET with the token, for `metadata` only. */
  metadataUrl?: string
}

/** A service that can be connected, described as data from its OAuth documentation. */
export interface ProviderDefinition {
  /** The lower-case id that tools request: `slack`, `google-docs`. */
  id: string
  /** The name that people see. */
  name: string
  authorizationEndpoint: string
  tokenEndpoint: string
  /**
   * Compared with the `iss` of responses and ID tokens.
   *
   * @default the origin of the authorization endpoint
   */
  issuer?: string
  /** Set it if the service includes `iss` in every response (RFC 9207). A response without it is then rejected. */
  sendsIssuer?: boolean
  /** The endpoint of the device flow (RFC 8628), for terminals. */
  deviceEndpoint?: string
  /** The endpoint that revokes tokens (RFC 7009), called when an account is disconnected. */
  revocationEndpoint?: string
  /** The signature algorithm of ID tokens, if it is not RS256. */
  idTokenAlg?: string
  /** The scopes to request unless a tool requests others. */
  scopes: readonly string[]
  /** Scopes that are always requested in addition, to identify the account and to get refresh tokens. */
  baseScopes?: readonly string[]
  /**
   * The character between scopes.
   *
   * @default ' '
   */
  scopeSeparator?: ',' | ' '
  /** Additional parameters of the authorization request: `{ access_type: 'offline' }`. */
  authorizationParams?: Readonly<Record<string, string>>
  /**
   * How the client authenticates at the token endpoint. With `post`, its credentials are in the body.
   *
   * @default 'post'
   */
  clientAuth?: 'post' | 'basic' | 'none'
  /** Set `json` if the token endpoint expects JSON. */
  tokenBody?: 'form' | 'json'
  /** Set it if the service reports errors as `{ "ok": false, "error": … }` with status 200. */
  errorsIn200?: boolean
  /** The field of error responses that contains the code, if it is not `error`. */
  errorField?: string
  /** Token types of the service besides `bearer`. */
  tokenTypes?: readonly Lowercase<string>[]
  /** Error codes that mean the same as `invalid_grant`. */
  lostGrantErrors?: readonly string[]
  profile: ProfileDefinition
}

/** The credentials that a service issued when you registered your app. */
export interface ClientCredentials {
  clientId: string
  /** Omitted for public clients (`clientAuth: 'none'`). */
  clientSecret?: string
  /** Replaces the definition's default scopes. */
  scopes?: readonly string[]
}

/** A service together with the credentials of your app. */
export type OAuthProvider = ProviderDefinition & ClientCredentials

/**
 * Describes a service. Returns a function that adds the credentials of your app.
 *
 * @example
 * const linear = defineOAuthProvider({
 *   id: 'linear',
 *   name: 'Linear',
 *   authorizationEndpoint: 'https://linear.app/oauth/authorize',
 *   tokenEndpoint: 'https://api.linear.app/oauth/token',
 *   scopes: ['read', 'write'],
 *   profile: { from: { url: 'https://api.example.com/me' }, accountId: 'id', user: { name: 'name' } },
 * })
 * createAccountBroker({ providers: [linear({ clientId: '…', clientSecret: '…' })], ...others })
 */
export function defineOAuthProvider(definition: ProviderDefinition): (client: ClientCredentials) => OAuthProvider {
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

/** Returns the scopes of all lists, sorted and without duplicates, so that a new consent keeps the granted ones. */
export function unionScopes(...lists: readonly (readonly string[] | undefined)[]): string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))].sort()
}

function invalid(id: string, why: string): HoldpointError {
  return new HoldpointError('invalid_provider', `The provider "${id}" cannot be used: ${why}.`)
}
