import type { Store } from '@holdpoint/server/store'
import { afterEach } from 'vitest'

/** One storage location, with a store on it. */
export interface Bench {
  store: Store
  /** Another instance on the same data, as another process would open it. Only for shared stores. */
  another?: () => Promise<Store>
  /** Removes the data. The suite closes the stores. */
  dispose?: () => Promise<void>
}

/** `offset` is added to the store's clock, in milliseconds; tests move it. */
export type MakeStore = (clock: { offset: () => number }) => Promise<Bench>

export interface Harness {
  /** An opened store on empty data. */
  fresh(): Promise<Store>
  /** The same, before it is opened. */
  cold(): Promise<Store>
  /** Another opened instance on the data of the last `fresh()`; undefined if the store is not shared. */
  another(): Promise<Store | undefined>
  advance(ms: number): void
}

/** Closes and removes everything that a test opened, also after a failure. */
export function useHarness(make: MakeStore): Harness {
  let offset = 0
  let bench: Bench | undefined
  let opened: Store[] = []
  let places: Bench[] = []

  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()))
    for (const place of places) await place.dispose?.()
    offset = 0
    bench = undefined
    opened = []
    places = []
  })

  const track = async (store: Store) => {
    opened.push(store)
    await store.open()
    return store
  }

  const unopened = async () => {
    bench = await make({ offset: () => offset })
    places.push(bench)
    return bench.store
  }

  return {
    fresh: async () => await track(await unopened()),
    async cold() {
      const store = await unopened()
      opened.push(store)
      return store
    },
    async another() {
      const second = await bench?.another?.()
      return second && (await track(second))
    },
    advance(ms) {
      offset += ms
    },
  }
}

/** Yields to other work for zero to a few turns of the event loop. */
export async function jitter(random: () => number): Promise<void> {
  for (let turns = Math.floor(random() * 4); turns > 0; turns--) await new Promise(setImmediate)
}

export const row = (partition: string, kind: string, id: string) => ({ partition, kind, id })
