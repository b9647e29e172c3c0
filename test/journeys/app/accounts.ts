/** Inserted into the server of docs/express.md, before `createHoldpoint`: the store, and an account provider for a service of the test. */
const store = process.env.DATABASE_URL
  ? postgresStore({ connectionString: process.env.DATABASE_URL, schema: process.env.SCHEMA })
  : sqliteStore({ path: '.holdpoint/data.db' })
const service = process.env.OAUTH_URL ?? 'http://127.0.0.1:1'
const slack = defineOAuthProvider({
  id: 'slack',
  name: 'Slack',
  issuer: service,
  sendsIssuer: true,
  authorizationEndpoint: `${service}/auth`,
  tokenEndpoint: `${service}/token`,
  idTokenAlg: 'ES256',
  scopes: ['chat:write'],
  baseScopes: ['openid', 'offline_access', 'profile', 'email'],
  authorizationParams: { prompt: 'consent' },
  profile: { from: 'id_token', accountId: 'sub', user: { name: 'name', email: 'email' } },
})
const broker = createAccountBroker({
  store,
  providers: [slack({ clientId: 'slack', clientSecret: 'the-local-secret-of-slack' })],
  vaultKeys: [{ id: '1', key: Buffer.alloc(32, 1) }],
  baseUrl: `http://127.0.0.1:${process.env.PORT}/holdpoint`,
  authenticate: async (request) => userOf(request.headers.get('cookie')),
  development: true,
})
