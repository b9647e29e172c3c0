import { accountProviderSuite } from '@holdpoint/conformance/accounts'
import { accountsFromFunctions } from '@holdpoint/server/accounts'
import type { Principal } from '../../src/base/principal.ts'
import { allow, createHarness } from './support/harness.ts'

accountProviderSuite('the broker', async () => {
  const harness = await createHarness({}, { accessTokenSeconds: 3600 })
  return {
    provider: harness.broker,
    integration: 'slack',
    otherScope: 'files:write',
    async consent({ userId }, started) {
      if (!('url' in started)) throw new Error('no address')
      const browser = harness.browser(userId)
      await allow(browser, await browser.open(started.url), userId)
    },
    async works(token) {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${harness.local.url}/api/chat.postMessage`, { method: 'POST', headers, body: '{}' })
      return response.ok
    },
    async revoke(owner) {
      const token = await harness.broker.token(owner, 'slack')
      await harness.local.revokeAll()
      // A tool got a 401: the broker renews, is refused, and knows.
      await harness.broker.reject(owner, 'slack', token)
      await harness.broker.token(owner, 'slack').catch(() => {})
    },
    close: () => harness.close(),
  }
})

accountProviderSuite('accountsFromFunctions', async () => {
  const table = new Map<string, { token: string; ended: boolean }>()
  const key = ({ tenant, userId }: Principal) => JSON.stringify([tenant, userId])
  return {
    provider: accountsFromFunctions({
      status(owner, _integration, scopes) {
        const row = table.get(key(owner))
        if (!row) return { state: 'missing' }
        if (row.ended) return { state: 'expired' }
        return scopes.includes('admin') ? { state: 'scopes', scopes: ['read'] } : { state: 'connected' }
      },
      start: ({ userId }, integration) => ({ clientToken: `for ${userId} at ${integration}` }),
      token(owner) {
        const row = table.get(key(owner))
        if (!row || row.ended) throw new Error('Connect first.')
        return row.token
      },
    }),
    integration: 'slack',
    otherScope: 'admin',
    async consent(owner) {
      table.set(key(owner), { token: `token-of-${key(owner)}`, ended: false })
    },
    works: async (token) => [...table.values()].some((row) => row.token === token && !row.ended),
    async revoke(owner) {
      table.set(key(owner), { token: '', ended: true })
    },
  }
})
