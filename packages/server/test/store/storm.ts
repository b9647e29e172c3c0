import { setTimeout as sleep } from 'node:timers/promises'
import { type Acknowledged, acknowledged, checkLog } from '@holdpoint/conformance/store'
import type { Store } from '@holdpoint/server/store'

import { expect } from 'vitest'

export interface Tally {
  kept: Acknowledged[]
  refused: { code?: string; details?: Record<string, unknown> }[]
}

const PARTITIONS = ['p0', 'p1', 'p2', 'p3', 'p4']

/** Callers that commit until told to end, and note what was acknowledged and what was not. */
export function storm(store: Store, callers = 20) {
  const tally: Tally = { kept: [], refused: [] }
  let running = true
  const done = Promise.all(
    Array.from({ length: callers }, async (_, n) => {
      for (let count = 0; running; count++) {
        const partition = PARTITIONS[(n + count) % PARTITIONS.length] ?? ''
        const item = { partition, events: [JSON.stringify([n, count])] }
        try {
          tally.kept.push(...acknowledged(item, await store.commit(item)))
        } catch (error) {
          tally.refused.push(error as Tally['refused'][number])
          await sleep(5)
        }
      }
    }),
  )
  return {
    tally,
    async end() {
      running = false
      await done
      return tally
    },
  }
}

/**
 * Checks that everything acknowledged is there once, and that every refusal named its reason and the fate of the
 * commit.
 */
export async function checkStorm(store: Store, { kept, refused }: Tally): Promise<void> {
  for (const partition of PARTITIONS) expect(await checkLog(store, partition, kept)).toEqual([])
  const known = new Set((await Promise.all(PARTITIONS.map((name) => everything(store, name)))).flat())
  expect(known.size).toBeGreaterThanOrEqual(kept.length)
  // Nothing may be there that was neither acknowledged nor refused as unknown.
  const unknown = refused.filter(({ details }) => details?.applied === 'unknown').length
  expect(known.size - kept.length).toBeLessThanOrEqual(unknown)
  for (const error of refused) {
    expect(['store_unavailable', 'store_pool_exhausted']).toContain(error.code)
    expect(['no', 'unknown']).toContain(error.details?.applied)
  }
}

async function everything(store: Store, partition: string): Promise<string[]> {
  const { events } = await store.readLog(partition, { from: 1, limit: 1_000_000 })
  return events.map(({ json }) => json)
}
