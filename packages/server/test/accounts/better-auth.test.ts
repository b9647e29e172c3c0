import { accountProviderSuite } from '@holdpoint/conformance/accounts'
import { localOAuth, TestBrowser } from '@holdpoint/conformance/local-oauth'
import { accountsFromFunctions } from '@holdpoint/server/accounts'
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { decodeJwt } from 'jose'
import type { Principal } from '../../src/base/principal.ts'

const ORIGIN = 'http://localhost:4100'

accountProviderSuite('better-auth', async () => {
  const local = await localOAuth({
    redirectUris: [`${ORIGIN}/api/auth/callback/slack`, `${ORIGIN}/api/auth/oauth2/callback/slack`],
  })
  const auth = makeAuth(local)
  const people = new Map<string, Promise<{ id: string; cookie: string }>>()

  /** The app's users; the tenant is part of a user's identity. */
  const person = (owner: Principal) => {
    const key = JSON.stringify([owner.tenant, owner.userId])
    const known = people.get(key) ?? signUp(auth, people.size, owner.userId)
    people.set(key, known)
    return known
  }

  const accountOf = async (owner: Principal, integration: string) => {
    const { cookie } = await person(owner)
    const accounts = await auth.api.listUserAccounts({ headers: new Headers({ cookie }) })
    return accounts.find(({ providerId }) => providerId === integration)
  }

  return {
    // This is all that a team with better-auth writes.
    provider: accountsFromFunctions({
      async status(owner, integration, scopes) {
        const account = await accountOf(owner, integration)
        if (!account) return { state: 'missing' }
        const granted = account.scopes ?? []
        if (scopes.some((scope) => !granted.includes(scope))) return { state: 'scopes', scopes: granted }
        return { state: 'connected', scopes: granted, accountId: account.accountId }
      },
      start: (_owner, integration, { returnTo = '/' }) => ({
        url: `${ORIGIN}/link?provider=${integration}&return=${encodeURIComponent(returnTo)}`,
      }),
      async token(owner, integration) {
        const account = await accountOf(owner, integration)
        if (!account) throw new Error('Connect first.')
        const { accessToken } = await auth.api.getAccessToken({
          body: { accountId: account.id, userId: account.userId },
        })
        return accessToken
      },
    }),
    integration: 'slack',
    otherScope: 'files:write',
    async consent(owner, started) {
      if (!('url' in started)) throw new Error('no address')
      const browser = new TestBrowser({
        local: (request) => appRoute(auth, request),
        stopAt: ({ pathname }) => pathname === '/chat/1',
      })
      const { cookie } = await person(owner)
      browser.cookies.set(
        new URL(ORIGIN).host,
        new Map(cookie.split('; ').map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string])),
      )
      const consent = await browser.open(started.url)
      const end = await browser.submit(consent, {
        login: `${owner.userId.trim()}-${(await person(owner)).id}`,
        decision: 'allow',
      })
      if (end.url.pathname !== '/chat/1' || end.url.search.includes('error'))
        throw new Error(`${end.url} ${end.text.slice(0, 300)}`)
    },
    async works(token) {
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(`${local.url}/api/chat.postMessage`, { method: 'POST', headers, body: '{}' })).ok
    },
    close: () => local.close(),
  }
})

function makeAuth(local: Awaited<ReturnType<typeof localOAuth>>) {
  return betterAuth({
    baseURL: ORIGIN,
    secret: 'a secret for this test only, and long enough',
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    account: {
      encryptOAuthTokens: true,
      accountLinking: { enabled: true, allowDifferentEmails: true, trustedProviders: ['slack'] },
    },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: 'slack',
            clientId: local.slack.clientId,
            clientSecret: local.slack.clientSecret,
            authorizationUrl: local.slack.authorizationEndpoint,
            tokenUrl: local.slack.tokenEndpoint,
            scopes: [...(local.slack.baseScopes ?? []), ...local.slack.scopes],
            pkce: true,
            prompt: 'consent',
            getUserInfo: async ({ idToken }) => {
              const { sub = '', email, name } = decodeJwt(idToken ?? '')
              return { id: sub, email: String(email), name: String(name), emailVerified: true }
            },
          },
        ],
      }),
    ],
  })
}

type Auth = ReturnType<typeof makeAuth>

/** The app: better-auth's own routes, and one that begins linking in the person's browser. */
function appRoute(auth: Auth, request: Request): Promise<Response> | null {
  const url = new URL(request.url)
  if (url.origin !== ORIGIN) return null
  if (url.pathname !== '/link') return auth.handler(request)
  return link(auth, request, url)
}

async function link(auth: Auth, request: Request, url: URL): Promise<Response> {
  const answered = await auth.api.linkSocialAccount({
    body: { provider: url.searchParams.get('provider') ?? '', callbackURL: url.searchParams.get('return') ?? '/' },
    headers: request.headers,
    asResponse: true,
  })
  const body = (await answered.json()) as { url: string }
  const headers = new Headers({ location: body.url })
  for (const cookie of answered.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return new Response(null, { status: 302, headers })
}

async function signUp(auth: Auth, number: number, name: string): Promise<{ id: string; cookie: string }> {
  const { headers, response } = await auth.api.signUpEmail({
    body: { email: `person${number}@example.com`, password: 'long enough', name },
    returnHeaders: true,
  })
  const cookie = headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return { id: response.user.id, cookie }
}
