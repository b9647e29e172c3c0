import { inspect } from 'node:util'
import type { AccountProvider } from '@holdpoint/server'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Owner = Parameters<AccountProvider['status']>[0]
type Started = Awaited<ReturnType<AccountProvider['start']>>

/** A driver of the account port, with the users and the service for its tests. */
export interface AccountBench {
  provider: AccountProvider
  /** The connected account. */
  integration: string
  /** Acts as the user on the result of `start`, until the account is connected. */
  consent(owner: Owner, started: Started): Promise<void>
  /** Whether the service accepts this token. */
  works(token: string): Promise<boolean>
  /** Revokes the authorization at the service and informs the driver. Omitted if the driver cannot know. */
  revoke?(owner: Owner): Promise<void>
  /** A scope that consent does not grant. Omitted if the driver knows no scopes. */
  otherScope?: string
  /** Whether accounts are separated by tenant, as the port requires. False only for a back end without tenants. */
  tenants?: boolean
  close?(): Promise<void>
}

/**
 * Runs the tests that every account provider must pass, wherever it stores the accounts.
 *
 * @example accountProviderSuite('accountsFromFunctions', async () => ({ provider, integration: 'slack', consent, works }))
 */
export function accountProviderSuite(name: string, make: () => Promise<AccountBench>): void {
  describe(`${name} as account provider`, () => {
    let bench: AccountBench
    beforeAll(async () => {
      bench = await make()
    })
    afterAll(() => bench.close?.())

    const begin = (owner: Owner, flowId = 'flow-1') =>
      bench.provider.start(owner, bench.integration, { flowId, returnTo: '/chat/1', generationId: 'run-1' })
    const connect = async (owner: Owner) => bench.consent(owner, await begin(owner))

    test('status is missing before connecting, connected afterwards, and the token works', async () => {
      const ada = { userId: 'ada' }
      expect(await bench.provider.status(ada, bench.integration)).toEqual({ state: 'missing' })
      await connect(ada)
      expect(await bench.provider.status(ada, bench.integration)).toMatchObject({ state: 'connected' })
      expect(await bench.works(await bench.provider.token(ada, bench.integration))).toBe(true)
    })

    test('threat 3: an account that one user connected is not available to another user', async () => {
      await connect({ userId: 'bea' })
      const others: Owner[] = [{ userId: 'eve' }, { userId: 'BEA' }, { userId: 'bea ' }]
      if (bench.tenants !== false) others.push({ userId: 'bea', tenant: 'acme' })
      for (const other of others) {
        expect(await bench.provider.status(other, bench.integration)).toEqual({ state: 'missing' })
        await expect(bench.provider.token(other, bench.integration)).rejects.toThrow()
      }
    })

    test('a missing token is an error with a message and without a token', async () => {
      const error: unknown = await bench.provider
        .token({ userId: 'nobody' }, bench.integration)
        .catch((reason) => reason)
      expect(error).toBeInstanceOf(Error)
      expect((error as Error).message).not.toBe('')
    })

    test('start returns an address to open, or a token for the service’s own library', async () => {
      const started = await begin({ userId: 'cleo' })
      if ('clientToken' in started) return expect(started.clientToken).not.toBe('')
      const { protocol, hostname } = new URL(started.url)
      expect(protocol === 'https:' || /^(localhost|127\.0\.0\.1)$/.test(hostname)).toBe(true)
    })

    test('start alone connects nothing', async () => {
      const dora = { userId: 'dora' }
      await begin(dora)
      expect(await bench.provider.status(dora, bench.integration)).toEqual({ state: 'missing' })
    })

    test('20 concurrent calls all receive a token that works', async () => {
      const emma = { userId: 'emma' }
      await connect(emma)
      const tokens = await Promise.all(Array.from({ length: 20 }, () => bench.provider.token(emma, bench.integration)))
      for (const token of new Set(tokens)) expect(await bench.works(token)).toBe(true)
    })

    test('a status contains no token', async () => {
      const fay = { userId: 'fay' }
      await connect(fay)
      const token = await bench.provider.token(fay, bench.integration)
      const status = await bench.provider.status(fay, bench.integration)
      expect(inspect(status, { depth: 9, showHidden: true })).not.toContain(token)
      expect(inspect(bench.provider, { depth: 9, showHidden: true })).not.toContain(token)
    })

    test('a scope that was not granted is not reported as granted', async (context) => {
      const { otherScope } = bench
      if (!otherScope) return context.skip('this driver knows no scopes')
      const gus = { userId: 'gus' }
      await connect(gus)
      expect(await bench.provider.status(gus, bench.integration, [otherScope])).toMatchObject({ state: 'scopes' })
    })

    test('an account that the service revoked counts as not connected, and connecting again restores it', async (context) => {
      if (!bench.revoke) return context.skip('this driver does not learn when a service revokes an account')
      const hal = { userId: 'hal' }
      await connect(hal)
      await bench.revoke(hal)
      expect((await bench.provider.status(hal, bench.integration)).state).not.toBe('connected')
      await expect(bench.provider.token(hal, bench.integration)).rejects.toThrow()
      await connect(hal)
      expect(await bench.provider.status(hal, bench.integration)).toMatchObject({ state: 'connected' })
      expect(await bench.works(await bench.provider.token(hal, bench.integration))).toBe(true)
    })
  })
}
