import { createHoldpointClient, type HoldpointClient, type Interaction, isOpen, type Transport } from '@holdpoint/core'
import { hasEnded, readSession } from './read-ended.ts'
import { type Item, idOf, keyOf } from './rows.ts'

/** Clients for the sessions of an inbox. They send answers and open no stream. */
export interface Pool {
  /** Adds or updates these questions. */
  take(items: readonly Item[]): void
  /** Adds these settled questions, and the outcome of those that were added when they were open. */
  takeSettled(items: readonly Item[]): void
  /** Ends the open questions of a run that was stopped here: their clients receive no events. */
  stopped(sessionId: string, runId: string): void
  /** Reads how the open questions have ended that are no longer among these: their clients receive no events. */
  settleMissing(items: readonly Item[]): void
  /** Whether a question is missing among the read ones, and its end is not known. */
  isMissing(key: string): boolean
  /** Whether a question was settled before this page was opened. */
  isPast(key: string): boolean
  /** All added questions in the order of their arrival, each in its latest version. */
  items(): readonly Item[]
  /** Returns an added question in the state that its client has. */
  find(key: string): { client: HoldpointClient; interaction: Interaction } | undefined
  /** Changes with every change of a question. */
  getVersion(): number
  subscribe(listener: () => void): () => void
}

export function createPool(transport: Transport, now: () => number): Pool {
  const clients = new Map<string, { client: HoldpointClient; id: string }>()
  const taken = new Map<string, Item>()
  const past = new Set<string>()
  const missing = new Set<string>()
  const reading = new Set<string>()
  const listeners = new Set<() => void>()
  let version = 0
  const changed = () => {
    version++
    for (const listener of [...listeners]) listener()
  }
  const take = (items: readonly Item[]) => {
    // The questions of a session whose rights differ, as a user of their audience has them, get a client each.
    const alike = new Map<string, Item[]>()
    for (const item of items) {
      taken.set(keyOf(item), item)
      if (clients.has(keyOf(item))) continue
      const group = JSON.stringify([item.sessionId, item.you])
      alike.set(group, [...(alike.get(group) ?? []), item])
    }
    for (const fresh of alike.values()) {
      const client = clientFor(fresh, transport, now)
      // Without `autoConnect` a subscription opens no connection.
      client.subscribe(changed)
      for (const item of fresh) clients.set(keyOf(item), { client, id: idOf(item) })
    }
  }
  const find = (key: string) => {
    const { client, id = '' } = clients.get(key) ?? {}
    const interaction = client?.getSnapshot().interactions.get(id)
    return client && interaction && { client, interaction }
  }
  /** An answer of this page that is on its way shows its own end. */
  const waits = (key: string) => find(key)?.interaction.status === 'pending'
  const readEnds = async (sessionId: string) => {
    if (reading.has(sessionId)) return
    reading.add(sessionId)
    const found = await readSession(transport, sessionId)
    reading.delete(sessionId)
    for (const interaction of found ?? []) {
      const key = keyOf({ sessionId, interaction })
      const item = taken.get(key)
      if (!item || !missing.has(key) || !waits(key)) continue
      if (hasEnded(interaction)) {
        clients.delete(key)
        take([{ ...item, interaction }])
      }
      missing.delete(key)
    }
    if (found) changed()
  }
  return {
    take,
    takeSettled(items) {
      for (const key of items.map(keyOf)) {
        const known = find(key)
        if (!known) past.add(key)
        // Its client receives no events, so it learns here how the question ended.
        else if (isOpen(known.interaction)) clients.delete(key)
      }
      take(items)
    },
    stopped(sessionId, runId) {
      const open = [...taken.values()].filter((item) => {
        const found = find(keyOf(item))
        return item.sessionId === sessionId && found && isOpen(found.interaction) && found.interaction.runId === runId
      })
      for (const item of open) clients.delete(keyOf(item))
      take(open.map((item) => cancelled(item, now())))
      changed()
    },
    settleMissing(items) {
      const waiting = new Set(items.map(keyOf))
      const gone = [...taken.values()].filter((item) => !waiting.has(keyOf(item)) && waits(keyOf(item)))
      const before = missing.size
      missing.clear()
      for (const item of gone) missing.add(keyOf(item))
      if (missing.size > 0 || before > 0) changed()
      for (const sessionId of new Set(gone.map((item) => item.sessionId))) void readEnds(sessionId)
    },
    isMissing: (key) => missing.has(key) && waits(key),
    isPast: (key) => past.has(key),
    find,
    items: () => [...taken.values()],
    getVersion: () => version,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The item as the server will return it: its question was cancelled with its run. */
function cancelled(item: Item, now: number): Item {
  const { sessionId, interaction } = item
  const { runId } = interaction.request as { runId?: string }
  const closed = {
    type: 'interaction_closed',
    timestamp: new Date(now).toISOString(),
    ...{ sessionId, runId, interactionId: idOf(item), reason: 'cancelled' },
  }
  return { ...item, interaction: { ...interaction, closed: closed as never } }
}

/** A client for questions of one session to which the user has the same rights. */
function clientFor(items: readonly Item[], transport: Transport, now: () => number): HoldpointClient {
  return createHoldpointClient({
    sessionId: items[0]!.sessionId,
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
