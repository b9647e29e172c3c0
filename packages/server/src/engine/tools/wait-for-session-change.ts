import type { Kernel } from '../kernel/kernel.ts'

const LOOK_AGAIN_MS = 500

/** Resolves when something happened in the session, or after a while: the caller looks whether it is what it awaits. */
export function waitElsewhere(kernel: Kernel, partition: string, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop()
      kernel.environment.clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const stop = kernel.store.subscribe((partitions) => partitions.includes(partition) && done())
    const timer = kernel.environment.setTimeout(done, LOOK_AGAIN_MS, true)
    signal?.addEventListener('abort', done, { once: true })
  })
}
