import { assertOptions } from './assert-options.ts'
import type { Settings } from './engine/kernel/settings.ts'
import type { HoldpointOptions } from './options.ts'

/**
 * Applies defaults and flattens the option groups. The engine keeps the returned object, and a hot reload writes new
 * options into it.
 */
export function settingsOf(options: HoldpointOptions): Settings {
  assertOptions(options)
  const { timing, hooks, security, http: _http, ...rest } = options
  const { allowedOrigins: _origins, allowedHosts: _hosts, ...access } = security ?? {}
  return {
    waiting: 'inline',
    presenceGraceMs: 15_000,
    presenceMs: 60_000,
    leaseMs: 15_000,
    orphanAfterMs: 60_000,
    ...rest,
    ...hooks,
    ...access,
    ...timing,
  }
}
