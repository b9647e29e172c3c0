import { defineOAuthProvider, type OAuthProvider as Service } from '@holdpoint/server/accounts'

export const CLIENTS = {
  slack: { name: 'Slack', scopes: ['chat:write', 'channels:read'] },
  gmail: { name: 'Gmail', scopes: ['mail.read', 'mail.send'] },
} as const
export const BASE = ['openid', 'offline_access', 'profile', 'email']

export const secretOf = (id: string) => `the-local-secret-of-${id}`

/**
 * The services of a `localOAuth` that runs in another process, for `createAccountBroker({ providers, development: true })`.
 *
 * @example
 * const { slack, gmail } = localServices('http://127.0.0.1:4010')
 */
export function localServices(url: string): { slack: Service; gmail: Service } {
  return { slack: service(url, 'slack'), gmail: service(url, 'gmail') }
}

function service(url: string, id: keyof typeof CLIENTS): Service {
  const define = defineOAuthProvider({
    id,
    name: CLIENTS[id].name,
    issuer: url,
    sendsIssuer: true,
    authorizationEndpoint: `${url}/auth`,
    tokenEndpoint: `${url}/token`,
    deviceEndpoint: `${url}/device/auth`,
    revocationEndpoint: `${url}/token/revocation`,
    idTokenAlg: 'ES256',
    scopes: CLIENTS[id].scopes,
    baseScopes: BASE,
    authorizationParams: { prompt: 'consent' },
    profile: { from: 'id_token', accountId: 'sub', user: { name: 'name', email: 'email' } },
  })
  return define({ clientId: id, clientSecret: secretOf(id) })
}
