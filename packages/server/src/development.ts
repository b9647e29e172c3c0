import { HoldpointError } from '@holdpoint/core'
import { environmentName } from './base/environment.ts'
import type { Kernel } from './engine/kernel/kernel.ts'
import type { Store } from './store/port.ts'

/**
 * The instances of one process. Bundlers evaluate a module twice (pages and routes of Next, and again after each hot
 * reload), so this registry is a property of `globalThis`: the only exception to "no module state".
 */
interface Registry<Instance> {
  /** In development: the instances by name and store, so that a hot reload finds the existing one. */
  readonly instances: Map<string, Instance>
  /** Instances with a store that no other instance can read. */
  readonly unshared: Set<WeakRef<Kernel>>
}

/**
 * Returns the key of an instance. Instances differ if their names differ, or if their stores persist rows in different
 * places.
 */
export const instanceKey = (name: string | undefined, store: Store): string =>
  JSON.stringify([name ?? 'default', store.name, store.place])

const ANCHOR = Symbol.for('holdpoint')

export function registry<Instance = unknown>(): Registry<Instance> {
  const anchor = globalThis as { [ANCHOR]?: Registry<Instance> }
  anchor[ANCHOR] ??= { instances: new Map(), unshared: new Set() }
  return anchor[ANCHOR]
}

export function registerUnshared(kernel: Kernel): () => void {
  const { unshared } = registry()
  const reference = new WeakRef(kernel)
  for (const other of unshared) if (!other.deref()) unshared.delete(other)
  unshared.add(reference)
  return () => void unshared.delete(reference)
}

/**
 * Called when a session is not found. Throws `memory_store_not_shared` if another instance of this process has the
 * session in a store that only that instance can read, because "not found" would hide the mistake in the setup.
 */
export async function assertNotInOtherInstance(kernel: Kernel, partition: string, row: string): Promise<void> {
  if (kernel.store.shared || environmentName() === 'test') return
  for (const reference of registry().unshared) {
    const other = reference.deref()
    if (!other || other === kernel) continue
    const { rows } = await other.store.load([{ partition, kind: 'session', id: row }])
    if (rows[0]) throw notShared()
  }
}

function notShared(): HoldpointError {
  return new HoldpointError(
    'memory_store_not_shared',
    'Two instances of Holdpoint run in this process, each with a memory store of its own, and this session lives in the other one. A bundler evaluated the module twice, or createHoldpoint is called in two places. Use sqliteStore({ path }), or make one instance and import it.',
  )
}
