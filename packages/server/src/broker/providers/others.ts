import { defineOAuthProvider } from '../oauth/provider.ts'

/**
 * Posts and reads in a workspace as your app's bot. Switch token rotation on at Slack.
 * https://docs.slack.dev/authentication/installing-with-oauth
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { SLACK_ID = '', SLACK_SECRET = '' } = process.env
 * const provider = providers.slack({ clientId: SLACK_ID, clientSecret: SLACK_SECRET })
 */
export const slack = defineOAuthProvider({
  id: 'slack',
  name: 'Slack',
  authorizationEndpoint: 'https://slack.com/oauth/v2/authorize',
  tokenEndpoint: 'https://slack.com/api/oauth.v2.access',
  scopeSeparator: ',',
  tokenTypes: ['bot', 'user'],
  errorsIn200: true,
  lostGrantErrors: ['invalid_refresh_token', 'token_revoked', 'token_expired', 'invalid_auth'],
  scopes: ['chat:write', 'channels:read', 'channels:history', 'users:read'],
  profile: {
    from: 'token_response',
    accountId: 'team.id',
    personId: 'authed_user.id',
    user: { account_id: 'authed_user.id', name: 'team.name' },
    metadata: { workspace_id: 'team.id', workspace_name: 'team.name', bot_user_id: 'bot_user_id' },
  },
})

/**
 * Works in the pages that the person picks on Notion's own page; it has no scopes.
 * https://developers.notion.com/docs/authorization
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { NOTION_ID = '', NOTION_SECRET = '' } = process.env
 * const provider = providers.notion({ clientId: NOTION_ID, clientSecret: NOTION_SECRET })
 */
export const notion = defineOAuthProvider({
  id: 'notion',
  name: 'Notion',
  authorizationEndpoint: 'https://api.notion.com/v1/oauth/authorize',
  tokenEndpoint: 'https://api.notion.com/v1/oauth/token',
  clientAuth: 'basic',
  tokenBody: 'json',
  authorizationParams: { owner: 'user' },
  scopes: [],
  profile: {
    from: 'token_response',
    accountId: 'bot_id',
    personId: 'owner.user.id',
    user: { account_id: 'owner.user.id', name: 'owner.user.name', email: 'owner.user.person.email' },
    metadata: { workspace_id: 'workspace_id', workspace_name: 'workspace_name' },
  },
})

/**
 * Reads and writes records of a user's bases.
 * https://airtable.com/developers/web/api/oauth-reference
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { AIRTABLE_ID = '', AIRTABLE_SECRET = '' } = process.env
 * const provider = providers.airtable({ clientId: AIRTABLE_ID, clientSecret: AIRTABLE_SECRET })
 */
export const airtable = defineOAuthProvider({
  id: 'airtable',
  name: 'Airtable',
  authorizationEndpoint: 'https://airtable.com/oauth2/v1/authorize',
  tokenEndpoint: 'https://airtable.com/oauth2/v1/token',
  clientAuth: 'basic',
  baseScopes: ['user.email:read'],
  scopes: ['data.records:read', 'data.records:write', 'schema.bases:read'],
  profile: { from: { url: 'https://api.airtable.com/v0/meta/whoami' }, accountId: 'id', user: { email: 'email' } },
})

/**
 * Reads and writes contacts of a HubSpot account.
 * https://developers.hubspot.com/docs/api/working-with-oauth
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { HUBSPOT_ID = '', HUBSPOT_SECRET = '' } = process.env
 * const provider = providers.hubspot({ clientId: HUBSPOT_ID, clientSecret: HUBSPOT_SECRET })
 */
export const hubspot = defineOAuthProvider({
  id: 'hubspot',
  name: 'HubSpot',
  authorizationEndpoint: 'https://app.hubspot.com/oauth/authorize',
  tokenEndpoint: 'https://api.hubapi.com/oauth/v1/token',
  baseScopes: ['oauth'],
  scopes: ['crm.objects.contacts.read', 'crm.objects.contacts.write'],
  errorField: 'status',
  lostGrantErrors: ['BAD_REFRESH_TOKEN'],
  profile: {
    from: { url: 'https://api.hubapi.com/account-info/v3/details' },
    accountId: 'portalId',
    personId: null,
    user: { name: 'uiDomain' },
    metadata: { workspace_id: 'portalId', time_zone: 'timeZone' },
  },
})

/**
 * Signs a member in and posts in their name.
 * https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 *
 * @example
 * import { providers } from '@holdpoint/server/accounts'
 * const { LINKEDIN_ID = '', LINKEDIN_SECRET = '' } = process.env
 * const provider = providers.linkedin({ clientId: LINKEDIN_ID, clientSecret: LINKEDIN_SECRET })
 */
export const linkedin = defineOAuthProvider({
  id: 'linkedin',
  name: 'LinkedIn',
  issuer: 'https://www.linkedin.com/oauth',
  authorizationEndpoint: 'https://www.linkedin.com/oauth/v2/authorization',
  tokenEndpoint: 'https://www.linkedin.com/oauth/v2/accessToken',
  baseScopes: ['openid', 'profile', 'email'],
  scopes: ['w_member_social'],
  profile: {
    from: { url: 'https://api.linkedin.com/v2/userinfo' },
    accountId: 'sub',
    user: { name: 'name', email: 'email', picture: 'picture' },
  },
})
