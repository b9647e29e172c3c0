import { memoryTokenStore } from '../memory-token-store.ts'
import { createTokenManager } from '../token-manager.ts'
import type { TokenManagerOptions } from '../types.ts'
import { manualEnvironment } from './manual-environment.ts'
import { rotatingService } from './rotating-service.ts'

/** A manager of a signed-in user, with its clock and service; `make` creates another one. */
export async function signedIn({
  graceMs = 0,
  store = memoryTokenStore(),
  ...options
}: Partial<TokenManagerOptions> & { graceMs?: number } = {}) {
  const time = manualEnvironment()
  const service = rotatingService({ now: time.env.now, graceMs })
  const make = (more: Partial<TokenManagerOptions> = {}) =>
    createTokenManager({ store, refresh: service.refresh, environment: time.env, jitterMs: 0, ...options, ...more })
  const tokens = make()
  await tokens.signIn(service.first())
  return { time, service, store, tokens, make }
}
