import { memoryStore } from '@holdpoint/server/memory'
import { testAccounts, testHuman } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { ADA, call, open } from '../../../test/engine/support/world.ts'
import type { AccountProvider } from '../api/account-provider.ts'
import type { WaitingKernel } from '../waiting/waiting-kernel.ts'
import { ProviderChanges } from './provider-changes.ts'

/** A provider that notices changes by itself, and counts who listens. */
function provider() {
  const listeners = new Set<(change: { owner: { userId: string }; integration: string }) => void>()
  const accounts = testAccounts()
  const changes: AccountProvider['changes'] = (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { accounts: { ...accounts, changes }, listeners, set: accounts.set }
}

test('a hot reload with the same provider keeps its subscription, and with another provider replaces it', () => {
  const [first, second] = [provider(), provider()]
  const settings: { accounts: AccountProvider | undefined } = { accounts: first.accounts }
  const feed = new ProviderChanges({ settings, background() {} } as unknown as WaitingKernel)
  feed.follow()
  const [listener] = first.listeners
  feed.follow()
  expect([...first.listeners]).toEqual([listener])
  settings.accounts = second.accounts
  feed.follow()
  expect([first.listeners.size, second.listeners.size]).toEqual([0, 1])
  feed.stop()
  expect(second.listeners.size).toBe(0)
  feed.follow()
  expect(second.listeners.size).toBe(1)
  settings.accounts = undefined
  feed.follow()
  expect(second.listeners.size).toBe(0)
})

test('a change that the provider reports settles a question that waits for that account', async () => {
  const { accounts, listeners, set } = provider()
  const holdpoint = open({ store: memoryStore(), accounts })
  const connecting = holdpoint
    .session('chat', ADA)
    .toolCall(call())
    .connect({ integrations: ['slack'] })
  await testHuman(holdpoint, ADA).next({ kind: 'connect' })
  set(ADA, 'slack')
  for (const tell of listeners) tell({ owner: ADA, integration: 'slack' })
  expect(await connecting).toHaveProperty('slack')
})
