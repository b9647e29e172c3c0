import { createHoldpointClient, type HoldpointClient, type Interaction, type Transport } from '@holdpoint/core'
import { type Item, idOf, keyOf } from './rows.ts'

/** Clients for the sessions of an inbox. They answer, and listen to nothing. */
export interface Pool {
  /** Knows these questions from now on. */
  take(items: readonly Item[]): void
  /** All that were taken, each as it was taken last, in the order in which they came. */
  items(): readonly Item[]
  /** A question that was taken, as its client knows it now. */
  find(key: string): { client: HoldpointClient; interaction: Interaction } | undefined
  /** Changes with every change of a question. */
  getVersion(): number
  subscribe(listener: () => void): () => void
}

export function createPool(transport: Transport, now: () => number): Pool {
  const clients = new Map<string, { client: HoldpointClient; id: string }>()
  const taken = new Map<string, Item>()
  const listeners = new Set<() => void>()
  let version = 0
  const changed = () => {
    version++
    for (const listener of [...listeners]) listener()
  }
  return {
    take(items) {
      const bySession = new Map<string, Item[]>()
      for (const item of items) {
        taken.set(keyOf(item), item)
        if (clients.has(keyOf(item))) continue
        bySession.set(item.sessionId, [...(bySession.get(item.sessionId) ?? []), item])
      }
      for (const [sessionId, fresh] of bySession) {
        const client = clientFor(sessionId, fresh, transport, now)
        // Without `autoConnect` a subscription opens no connection.
        client.subscribe(changed)
        for (const item of fresh) clients.set(keyOf(item), { client, id: idOf(item) })
      }
    },
    items: () => [...taken.values()],
    find(key) {
      const { client, id = '' } = clients.get(key) ?? {}
      const interaction = client?.getSnapshot().interactions.get(id)
      return client && interaction && { client, interaction }
    },
    getVersion: () => version,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function clientFor(
  sessionId: string,
  items: readonly Item[],
  transport: Transport,
  now: () => number,
): HoldpointClient {
  return createHoldpointClient({
    sessionId,
    transport,
    autoConnect: false,
    environment: { now },
    initial: {
      snapshot: {
        cursor: '',
        serverTime: new Date(now()).toISOString(),
        you: items[0]?.you ?? { userId: '', can: ['respond', 'extend'] },
        runs: [],
        interactions: items.map(({ interaction }) => interaction),
      },
    },
  })
}
