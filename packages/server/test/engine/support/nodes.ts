import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHoldpoint, type Holdpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Store } from '@holdpoint/server/store'
import { faultyStore } from '@holdpoint/server/testing'
import { onTestFinished } from 'vitest'
import type { FaultyStore } from '../../../src/testing/faulty-store.ts'

export interface Node {
  holdpoint: Holdpoint
  store: FaultyStore
  /**
   * From here on no call of the process reaches the store, and it receives no result: `kill -9`, as other nodes see it.
   */
  kill(): void
}

/** Several processes on one database, as far as one test process can have them. */
export interface Cluster {
  node(options?: HoldpointOptions): Node
}

/** Short leases: a process that is gone is noticed within a test. */
export const QUICK = { leaseMs: 200, orphanAfterMs: 60, presenceGraceMs: 30 } as const

function clusterOf(make: () => Store): Cluster {
  return {
    node(options: HoldpointOptions = {}) {
      const backing = make()
      const store = faultyStore(backing)
      const holdpoint = createHoldpoint({ store, ...options, timing: { ...QUICK, ...options.timing } })
      // A dead process says no goodbye.
      onTestFinished(() => (store.dead ? backing.close() : holdpoint.close()))
      return {
        holdpoint,
        store,
        kill: () => store.die(),
      }
    },
  }
}

/** How nodes share what they know, by the name of the store. */
export const clusters: readonly (readonly [name: string, make: () => Cluster])[] = [
  [
    'memory',
    () => {
      const shared = memoryStore()
      // One node that is closed must not close it for the others.
      return clusterOf(() => ({ ...shared, close: async () => {} }))
    },
  ],
  [
    'sqlite',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'holdpoint-cluster-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      return clusterOf(() => sqliteStore({ path: join(folder, 'data.db'), pollMs: 2 }))
    },
  ],
]

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits until something is true. */
export async function until(check: () => boolean | Promise<boolean>, what = 'it', withinMs = 5_000): Promise<void> {
  for (const limit = performance.now() + withinMs; !(await check()); ) {
    if (performance.now() > limit) throw new Error(`${what} did not happen within ${withinMs / 1_000} s`)
    await sleep(2)
  }
}
