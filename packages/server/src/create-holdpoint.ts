import { HoldpointError } from '@holdpoint/core'
import { environmentName } from './base/environment.ts'
import { instanceKey, registerUnshared, registry } from './development.ts'
import { type AssembledKernel, assembleEngine } from './engine/assemble.ts'
import { assembleHoldpoint, type Holdpoint } from './holdpoint.ts'
import type { HoldpointOptions } from './options.ts'
import { settingsOf } from './settings-of.ts'
import { sqliteStore } from './store/sqlite/index.ts'

/**
 * Creates a Holdpoint.
 *
 * @example
 * export const holdpoint = createHoldpoint({
 *   store: sqliteStore({ path: '.holdpoint/data.db' }),
 *   authenticate: async (request) => ({ userId: await userOf(request) }),
 * })
 */
export function createHoldpoint(options: HoldpointOptions = {}): Holdpoint {
  const store = options.store ?? defaultStore()
  const key = instanceKey(options.name, store)
  const known = environmentName() === 'development' ? registry<Known>().instances.get(key) : undefined
  if (known) {
    reload(known, options)
    return known.holdpoint
  }
  const kernel = assembleEngine(store, settingsOf(options))
  const unregister = kernel.store.shared ? () => {} : registerUnshared(kernel)
  const holdpoint = assembleHoldpoint(kernel, options, () => {
    unregister()
    const { instances } = registry<Known>()
    if (instances.get(key)?.kernel === kernel) instances.delete(key)
  })
  if (environmentName() === 'development') registry<Known>().instances.set(key, { holdpoint, kernel })
  return holdpoint
}

/** An instance that a later call may return again. */
interface Known {
  readonly holdpoint: Holdpoint
  readonly kernel: AssembledKernel
  /** True after the warning about a second store was logged, so that it is logged only once. */
  hasWarned?: boolean
}

/**
 * Applies new options to an existing instance after a hot reload. Open questions keep waiting and use the new hooks.
 */
function reload(known: Known, options: HoldpointOptions): void {
  const { kernel } = known
  const { store, environment: _same, waiting: _fixed, ...changed } = settingsOf(options)
  Object.assign(kernel.settings, changed)
  kernel.providerChanges.follow()
  // A memory store has no `place`, so a second instance by mistake looks the same as a hot reload. Log a warning.
  const doubtful = options.name === undefined && store && store !== kernel.store && store.place === undefined
  if (!doubtful || known.hasWarned) return
  known.hasWarned = true
  kernel.log.warn(
    `createHoldpoint was called again, and gave the instance that was there, with the ${store.name} store that it has: that is right after a hot reload. If two were meant, give each its name: createHoldpoint({ name: 'billing', … }).`,
    { code: 'instance_kept' },
  )
}

/** Returns the store for development if the options name none: a SQLite file. Throws in production. */
function defaultStore() {
  if (globalThis.process?.env.NODE_ENV !== 'production') return sqliteStore({ path: '.holdpoint/data.db' })
  throw new HoldpointError(
    'store_required',
    'In production the store must be named: questions that are not stored cannot be answered. Pass store: sqliteStore({ path }), postgresStore(...) or redisStore(...) to createHoldpoint.',
  )
}
