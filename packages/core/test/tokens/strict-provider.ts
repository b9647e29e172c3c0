import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import type { TokenSet } from '../../src/tokens/types.ts'

/**
 * A real OpenID provider with strict rotation: a refresh token is good for one use, the second revokes the whole
 * family. It is not ours, so it cannot be lenient where we are wrong.
 */
export async function strictProvider() {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'cli',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['http://127.0.0.1/callback'],
        application_type: 'native',
      },
    ],
    cookies: { keys: ['test'] },
    scopes: ['openid', 'offline_access'],
    features: { devInteractions: { enabled: false } },
    rotateRefreshToken: true,
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ttl: { AccessToken: 1_800, RefreshToken: 86_400, Grant: 86_400, IdToken: 600 },
  })
  let refreshes = 0
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (request.url === '/token') {
      refreshes++
      response.setHeader('access-control-allow-origin', '*')
    }
    handle(request, response)
  })

  return {
    issuer,
    refreshes: () => refreshes,
    /** A signed-in person whose access token has expired, as a store may hold it after a night. */
    async signIn(): Promise<TokenSet> {
      refreshes = 0
      const client = (await provider.Client.find('cli'))!
      const grant = new provider.Grant({ accountId: 'ada', clientId: 'cli' })
      grant.addOIDCScope('openid offline_access')
      const grantId = await grant.save()
      const refresh = new provider.RefreshToken({
        accountId: 'ada',
        client,
        grantId,
        scope: 'openid offline_access',
        gty: 'authorization_code',
        expiresWithSession: false,
      } as never)
      return { accessToken: 'expired', refreshToken: await refresh.save(), expiresAt: Date.now() - 1_000 }
    },
    close: () => new Promise((done) => server.close(done)),
  }
}
