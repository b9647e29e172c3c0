import { defineOAuthProvider } from '../oauth/provider.ts'

/** https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/ */
const atlassian = {
  issuer: 'https://auth.atlassian.com',
  authorizationEndpoint: 'https://auth.atlassian.com/authorize',
  tokenEndpoint: 'https://auth.atlassian.com/oauth/token',
  tokenBody: 'json',
  baseScopes: ['read:me', 'offline_access'],
  authorizationParams: { audience: 'api.atlassian.com', prompt: 'consent' },
  // Refresh tokens rotate. Depending on its age, an old one is rejected as "unauthorized_client" or "invalid_grant".
  lostGrantErrors: ['unauthorized_client'],
  profile: {
    from: { url: 'https://api.atlassian.com/me' },
    accountId: 'account_id',
    user: {
      name: 'name',
      email: 'email',
      picture: 'picture',
      account_type: 'account_type',
      account_status: 'account_status',
    },
    metadataUrl: 'https://api.atlassian.com/oauth/token/accessible-resources',
    metadata: { url: '0.url', cloud_id: '0.id', name: '0.name' },
  },
} as const

/**
 * Reads and writes a user's Jira issues.
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { ATLASSIAN_ID = '', ATLASSIAN_SECRET = '' } = process.env
 * const provider = providers.jira({ clientId: ATLASSIAN_ID, clientSecret: ATLASSIAN_SECRET })
 */
export const jira = defineOAuthProvider({
  ...atlassian,
  id: 'jira',
  name: 'Jira',
  scopes: ['read:jira-work', 'write:jira-work', 'read:jira-user'],
})

/**
 * Reads and writes a user's Confluence pages.
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { ATLASSIAN_ID = '', ATLASSIAN_SECRET = '' } = process.env
 * const provider = providers.confluence({ clientId: ATLASSIAN_ID, clientSecret: ATLASSIAN_SECRET })
 */
export const confluence = defineOAuthProvider({
  ...atlassian,
  id: 'confluence',
  name: 'Confluence',
  scopes: ['read:confluence-content.all', 'read:confluence-space.summary', 'write:confluence-content'],
})

/**
 * Works with a user's repositories and pull requests.
 * https://developer.atlassian.com/cloud/bitbucket/oauth-2/
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { BITBUCKET_ID = '', BITBUCKET_SECRET = '' } = process.env
 * const provider = providers.bitbucket({ clientId: BITBUCKET_ID, clientSecret: BITBUCKET_SECRET })
 */
export const bitbucket = defineOAuthProvider({
  id: 'bitbucket',
  name: 'Bitbucket',
  authorizationEndpoint: 'https://bitbucket.org/site/oauth2/authorize',
  tokenEndpoint: 'https://bitbucket.org/site/oauth2/access_token',
  clientAuth: 'basic',
  scopes: ['account', 'repository', 'pullrequest'],
  profile: {
    from: { url: 'https://api.bitbucket.org/2.0/user' },
    accountId: 'uuid',
    user: { username: 'username', display_name: 'display_name', avatar_url: 'links.avatar.href' },
  },
})
