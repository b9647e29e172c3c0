import * as oauth from 'oauth4webapi'
import type { GuardedFetch } from '../../security/outbound/guarded-fetch.ts'
import { adaptedFetch } from './adapt-token-endpoint.ts'
import { failureOf } from './oauth-failure.ts'
import type { OAuthProvider } from './provider.ts'

/** The response of a token endpoint. It is stored in the vault and nowhere else. */
export interface IssuedTokens {
  accessToken: string
  refreshToken?: string
  /** Absent if the service did not report it. */
  scopes?: string[]
  expiresInMs?: number
  /** The complete response and the claims of the validated ID token, for the profile. */
  response: Record<string, unknown>
  claims?: Record<string, unknown>
}

export interface AuthorizationRequest {
  state: string
  verifier: string
  redirectUri: string
  scopes: readonly string[]
}

export interface DeviceStart {
  deviceCode: string
  userCode: string
  verificationUri: string
  expiresInMs: number
  intervalMs: number
}

export interface OAuthDeps {
  fetch: GuardedFetch
  /** Allows `http:` in the OAuth library. The guard behind `fetch` still decides which addresses are allowed. */
  development: boolean
}

export type OAuth = ReturnType<typeof createOAuth>

/** The library's request function and the function that processes its response. */
type Ask = (
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  auth: oauth.ClientAuth,
  options: oauth.TokenEndpointRequestOptions,
) => Promise<Response>
type Read<T> = (
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  response: Response,
  options: Pick<oauth.ProcessAuthorizationCodeResponseOptions, 'recognizedTokenTypes'>,
) => Promise<T>

/**
 * Creates the OAuth client, based on oauth4webapi. It rejects with `OAuthFailure`, which contains a code and no token.
 */
export function createOAuth({ fetch, development }: OAuthDeps) {
  async function call<T>(provider: OAuthProvider, ask: Ask, read: Read<T>): Promise<T> {
    const [server, client] = [serverOf(provider), clientOf(provider)]
    try {
      const response = await ask(server, client, clientAuth(provider), {
        [oauth.customFetch]: adaptedFetch(provider, fetch),
        [oauth.allowInsecureRequests]: development,
      })
      return await read(server, client, response, {
        recognizedTokenTypes: Object.fromEntries((provider.tokenTypes ?? []).map((type) => [type, () => {}])),
      })
    } catch (error) {
      throw failureOf(provider, error)
    }
  }

  const request = (provider: OAuthProvider, ask: Ask, read: Read<oauth.TokenEndpointResponse>): Promise<IssuedTokens> =>
    call(provider, ask, async (...answered) => tokensOf(provider, await read(...answered)))

  return {
    newVerifier: () => oauth.generateRandomCodeVerifier(),

    async authorizationUrl(provider: OAuthProvider, request: AuthorizationRequest): Promise<string> {
      const url = new URL(provider.authorizationEndpoint)
      const scopes = request.scopes.join(provider.scopeSeparator ?? ' ')
      const params = {
        ...provider.authorizationParams,
        response_type: 'code',
        client_id: provider.clientId,
        redirect_uri: request.redirectUri,
        state: request.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(request.verifier),
        code_challenge_method: 'S256',
        ...(scopes && { scope: scopes }),
      }
      for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
      return url.href
    },

    /** Checks `state`, `iss` and errors of the response, then exchanges the code for tokens. */
    exchange: (
      provider: OAuthProvider,
      answer: URLSearchParams,
      { state, redirectUri, verifier }: Omit<AuthorizationRequest, 'scopes'>,
    ) =>
      request(
        provider,
        async (server, client, auth, options) => {
          const params = oauth.validateAuthResponse(server, client, answer, state)
          return oauth.authorizationCodeGrantRequest(server, client, auth, params, redirectUri, verifier, options)
        },
        oauth.processAuthorizationCodeResponse,
      ),

    refresh: (provider: OAuthProvider, refreshToken: string) =>
      request(
        provider,
        (server, client, auth, options) => oauth.refreshTokenGrantRequest(server, client, auth, refreshToken, options),
        oauth.processRefreshTokenResponse,
      ),

    startDevice: (provider: OAuthProvider, scopes: readonly string[]): Promise<DeviceStart> =>
      call(
        provider,
        (server, client, auth, options) => {
          const scope = scopes.join(provider.scopeSeparator ?? ' ')
          return oauth.deviceAuthorizationRequest(server, client, auth, { scope }, options)
        },
        async (server, client, response) => {
          const device = await oauth.processDeviceAuthorizationResponse(server, client, response)
          return {
            deviceCode: device.device_code,
            userCode: device.user_code,
            verificationUri: device.verification_uri_complete ?? device.verification_uri,
            expiresInMs: Math.floor(device.expires_in * 1000),
            intervalMs: Math.ceil((device.interval ?? 5) * 1000),
          }
        },
      ),

    /** Rejects with `authorization_pending` or `slow_down` until the user has decided. */
    pollDevice: (provider: OAuthProvider, deviceCode: string) =>
      request(
        provider,
        (server, client, auth, options) => oauth.deviceCodeGrantRequest(server, client, auth, deviceCode, options),
        oauth.processDeviceCodeResponse,
      ),

    /** Revokes a token. Returns false if the service does not support revocation (RFC 7009). */
    async revoke(provider: OAuthProvider, token: string): Promise<boolean> {
      if (!provider.revocationEndpoint) return false
      await call(
        provider,
        (server, client, auth, options) => oauth.revocationRequest(server, client, auth, token, options),
        (_server, _client, response) => oauth.processRevocationResponse(response),
      )
      return true
    },
  }
}

const clientOf = ({ clientId, idTokenAlg }: OAuthProvider): oauth.Client => ({
  client_id: clientId,
  ...(idTokenAlg && { id_token_signed_response_alg: idTokenAlg }),
  [oauth.clockTolerance]: 30,
})

function serverOf(provider: OAuthProvider): oauth.AuthorizationServer {
  return {
    issuer: provider.issuer ?? new URL(provider.authorizationEndpoint).origin,
    authorization_endpoint: provider.authorizationEndpoint,
    token_endpoint: provider.tokenEndpoint,
    authorization_response_iss_parameter_supported: provider.sendsIssuer ?? false,
    ...(provider.deviceEndpoint && { device_authorization_endpoint: provider.deviceEndpoint }),
    ...(provider.revocationEndpoint && { revocation_endpoint: provider.revocationEndpoint }),
  }
}

function clientAuth({ clientAuth, clientSecret = '' }: OAuthProvider): oauth.ClientAuth {
  if (clientAuth === 'none') return oauth.None()
  return clientAuth === 'basic' ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret)
}

function tokensOf(provider: OAuthProvider, response: oauth.TokenEndpointResponse): IssuedTokens {
  const claims = oauth.getValidatedIdTokenClaims(response)
  const { access_token, refresh_token, expires_in, scope } = response
  return {
    accessToken: access_token,
    response: { ...response },
    ...(refresh_token && { refreshToken: refresh_token }),
    ...(expires_in !== undefined && { expiresInMs: Math.floor(expires_in * 1000) }),
    ...(scope !== undefined && { scopes: scope.split(provider.scopeSeparator ?? ' ').filter(Boolean) }),
    ...(claims && { claims: { ...claims } }),
  }
}
