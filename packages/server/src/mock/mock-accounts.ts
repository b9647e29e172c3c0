import { HoldpointError } from '@holdpoint/core'
import { reportFlow } from '@holdpoint/core/internal'
import type { Principal } from '../base/principal.ts'
import type { AccountProvider, StartOptions } from '../engine/api/account-provider.ts'
import type { PageStorage } from './kept-store.ts'

/** The result with which a user ends the flow of one account in the mock server. */
export type MockConnectResult = 'connected' | 'denied' | 'never'

export interface MockAccountsOptions {
  result: (integration: string) => MockConnectResult
  afterMs: number
  page: (flow: { integration: string; flowId: string }) => string
  storage: PageStorage | undefined
  storageKey: string
}

/** An account provider without services. A flow that was started ends by itself with the configured result. */
export interface MockAccounts extends AccountProvider {
  set(principal: Principal, integration: string, scopes?: readonly string[]): void
  /** Cancels pending flows. */
  stop(): void
}

export function mockAccounts(options: MockAccountsOptions): MockAccounts {
  const { result, afterMs, page, storage, storageKey } = options
  const connected = new Map(readAccounts(storage?.getItem(storageKey)))
  const listeners = new Set<(change: { owner: Principal; integration: string }) => void>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const keyOf = ({ tenant = '', userId }: Principal, integration: string) =>
    JSON.stringify([tenant, userId, integration])

  const end = (owner: Principal, integration: string, { flowId, scopes = [] }: StartOptions) => {
    const how = result(integration)
    if (how === 'connected') provider.set(owner, integration, scopes)
    // A real flow ends in a window of the application's origin, which reports the result to the page. In Node there is
    // no window.
    if (how === 'denied' && typeof window === 'object') reportFlow(flowId, 'denied')
  }

  const provider: MockAccounts = {
    set(owner, integration, scopes = []) {
      connected.set(keyOf(owner, integration), scopes)
      storage?.setItem(storageKey, JSON.stringify([...connected]))
      for (const listener of listeners) listener({ owner, integration })
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
    async status(owner, integration, wanted = []) {
      const scopes = connected.get(keyOf(owner, integration))
      if (!scopes) return { state: 'missing' }
      return wanted.every((scope) => scopes.includes(scope))
        ? { state: 'connected', scopes }
        : { state: 'scopes', scopes }
    },
    async start(owner, integration, options) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        end(owner, integration, options)
      }, afterMs)
      timers.add(timer)
      return { url: page({ integration, flowId: options.flowId }) }
    },
    async token(owner, integration) {
      if (connected.has(keyOf(owner, integration))) return `mock-token:${owner.userId}:${integration}`
      throw new HoldpointError('account_missing', `The account at ${integration} is not connected in the mock server.`)
    },
    changes(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return provider
}

function readAccounts(text: string | null | undefined): [string, readonly string[]][] {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(read) ? read : []
  } catch {
    return []
  }
}
