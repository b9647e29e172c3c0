import type { Core } from '../kernel/kernel.ts'

const LOOK_AGAIN_MS = 500

/** Resolves when something happened in the session, or after a while: the caller looks whether it is what it awaits. */
export function waitElsewhere(core: Core, partition: string, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop()
      core.environment.clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const stop = core.store.subscribe((partitions) => partitions.includes(partition) && done())
    const timer = core.environment.setTimeout(done, LOOK_AGAIN_MS, true)
    signal?.addEventListener('abort', done, { once: true })
  })
}
