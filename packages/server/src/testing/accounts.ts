import type { Principal } from '../base/principal.ts'
import type { AccountProvider } from '../engine/api/account-provider.ts'

/** An account provider for tests. No account is connected until the test connects it. */
export interface TestAccounts extends AccountProvider {
  set(principal: Principal, integration: string, scopes?: readonly string[]): void
  remove(principal: Principal, integration: string): void
  /** The flows that were started, oldest first. */
  readonly started: readonly { userId: string; integration: string; flowId: string }[]
}

/**
 * Creates an `AccountProvider` without any services.
 *
 * @example
 * const accounts = testAccounts()
 * const holdpoint = createHoldpoint({ store: memoryStore(), accounts })
 * await testHuman(holdpoint, { userId: 'ada', accounts }).connect('slack')
 */
export function testAccounts(): TestAccounts {
  const connected = new Map<string, readonly string[]>()
  const started: { userId: string; integration: string; flowId: string }[] = []
  const key = ({ tenant = '', userId }: Principal, integration: string) => JSON.stringify([tenant, userId, integration])

  return {
    started,
    set: (principal, integration, scopes = []) => void connected.set(key(principal, integration), scopes),
    remove: (principal, integration) => void connected.delete(key(principal, integration)),
    async status(principal, integration, wanted = []) {
      const scopes = connected.get(key(principal, integration))
      if (!scopes) return { state: 'missing' }
      return wanted.every((scope) => scopes.includes(scope))
        ? { state: 'connected', scopes }
        : { state: 'scopes', scopes }
    },
    async start({ userId }, integration, { flowId }) {
      started.push({ userId, integration, flowId })
      return { url: `https://accounts.test/${encodeURIComponent(integration)}?flow=${flowId}` }
    },
    async token(principal, integration) {
      return `test-token:${principal.userId}:${integration}`
    },
  }
}
