import { inspect } from 'node:util'
import type { AccountProvider } from '@holdpoint/server/connections'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Owner = Parameters<AccountProvider['status']>[0]
type Started = Awaited<ReturnType<AccountProvider['start']>>

/** A driver of the account port, and the people and the service around it. */
export interface AccountBench {
  provider: AccountProvider
  /** What is connected. */
  integration: string
  /** Does what a person does with what `start` gave, until the account is connected. */
  consent(owner: Owner, started: Started): Promise<void>
  /** Whether the service takes this token. */
  works(token: string): Promise<boolean>
  /** The service ends what was granted and the driver learns of it. Omitted when the driver cannot know. */
  revoke?(owner: Owner): Promise<void>
  /** A scope that consent does not bring. Omitted when the driver knows no scopes. */
  otherScope?: string
  /** Whether accounts are kept apart by tenant; the port says they are. False only for a back end without tenants. */
  tenants?: boolean
  close?(): Promise<void>
}

/**
 * What every account provider must do, whoever holds the accounts.
 *
 * @example
 * accountProviderSuite('functionAccounts', async () => ({ provider, integration: 'slack', consent, works }))
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

    test('says missing before, connected after, and gives a token that works', async () => {
      const ada = { userId: 'ada' }
      expect(await bench.provider.status(ada, bench.integration)).toEqual({ state: 'missing' })
      await connect(ada)
      expect(await bench.provider.status(ada, bench.integration)).toMatchObject({ state: 'connected' })
      expect(await bench.works(await bench.provider.token(ada, bench.integration))).toBe(true)
    })

    test('threat 3: what one user connected is nobody else’s', async () => {
      await connect({ userId: 'bea' })
      const others: Owner[] = [{ userId: 'eve' }, { userId: 'BEA' }, { userId: 'bea ' }]
      if (bench.tenants !== false) others.push({ userId: 'bea', tenant: 'acme' })
      for (const other of others) {
        expect(await bench.provider.status(other, bench.integration)).toEqual({ state: 'missing' })
        await expect(bench.provider.token(other, bench.integration)).rejects.toThrow()
      }
    })

    test('a token that is not there is an error with words and no token', async () => {
      const error: unknown = await bench.provider
        .token({ userId: 'nobody' }, bench.integration)
        .catch((reason) => reason)
      expect(error).toBeInstanceOf(Error)
      expect((error as Error).message).not.toBe('')
    })

    test('start gives an address to open, or a token for the service’s own library', async () => {
      const started = await begin({ userId: 'cleo' })
      if ('clientToken' in started) return expect(started.clientToken).not.toBe('')
      const { protocol, hostname } = new URL(started.url)
      expect(protocol === 'https:' || /^(localhost|127\.0\.0\.1)$/.test(hostname)).toBe(true)
    })

    test('beginning connects nothing', async () => {
      const dora = { userId: 'dora' }
      await begin(dora)
      expect(await bench.provider.status(dora, bench.integration)).toEqual({ state: 'missing' })
    })

    test('20 calls at once all get a token that works', async () => {
      const emma = { userId: 'emma' }
      await connect(emma)
      const tokens = await Promise.all(Array.from({ length: 20 }, () => bench.provider.token(emma, bench.integration)))
      for (const token of new Set(tokens)) expect(await bench.works(token)).toBe(true)
    })

    test('a status says nothing that is a token', async () => {
      const fay = { userId: 'fay' }
      await connect(fay)
      const token = await bench.provider.token(fay, bench.integration)
      const status = await bench.provider.status(fay, bench.integration)
      expect(inspect(status, { depth: 9, showHidden: true })).not.toContain(token)
      expect(inspect(bench.provider, { depth: 9, showHidden: true })).not.toContain(token)
    })

    test('a scope that was not granted is not pretended', async (context) => {
      const { otherScope } = bench
      if (!otherScope) return context.skip('this driver knows no scopes')
      const gus = { userId: 'gus' }
      await connect(gus)
      expect(await bench.provider.status(gus, bench.integration, [otherScope])).toMatchObject({ state: 'scopes' })
    })

    test('what the service ended is not connected any more; connecting again mends it', async (context) => {
      if (!bench.revoke) return context.skip('this driver is not told when a service ends an account')
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
