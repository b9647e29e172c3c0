import { expect, test } from 'vitest'
import { guardUrl } from '../../security/outbound/guard-url.ts'
import { defineOAuthProvider } from '../oauth/provider.ts'
import * as providers from './index.ts'

const all = Object.values(providers).map((define) => define({ clientId: 'id', clientSecret: 'secret' }))

test('every service of the specification has a provider', () => {
  expect(all.map(({ id }) => id).sort()).toEqual(
    [
      ...['slack', 'gmail', 'google-calendar', 'google-docs', 'google-sheets', 'google-drive', 'notion', 'airtable'],
      ...['hubspot', 'linkedin', 'jira', 'confluence', 'bitbucket'],
    ].sort(),
  )
})

test.each(all)('$id has https addresses and a way to identify the account', (provider) => {
  const { from, metadataUrl } = provider.profile
  const addresses = [
    provider.authorizationEndpoint,
    provider.tokenEndpoint,
    provider.deviceEndpoint,
    provider.revocationEndpoint,
    metadataUrl,
    typeof from === 'object' ? from.url : undefined,
  ]
  for (const address of addresses) if (address) expect(() => guardUrl(address, {})).not.toThrow()
  expect(provider.profile.accountId).not.toBe('')
  // An id that several people share must not identify one of them.
  if (/team|bot|portal/i.test(provider.profile.accountId)) expect(provider.profile.personId).toBeDefined()
})

test('an invalid definition is rejected with an error code', () => {
  const { slack } = providers
  expect(() => slack({ clientId: '' })).toThrow(/"slack".*clientId is missing/)
  expect(() => slack({ clientId: 'x' })).toThrow(/clientSecret is missing/)
  const { clientId: _id, clientSecret: _secret, ...definition } = slack({ clientId: 'x', clientSecret: 'y' })
  expect(() => defineOAuthProvider({ ...definition, id: 'Not a name' })).toThrow(/lower-case/)
  expect(() => defineOAuthProvider({ ...definition, tokenEndpoint: '/token' })).toThrow(/not a URL/)
  expect(defineOAuthProvider({ ...definition, clientAuth: 'none' })({ clientId: 'x' }).clientId).toBe('x')
})
