import type { Kernel } from './kernel.ts'

/** After the last one left, so long it stays: longer than from one question of an agent to its next one. */
const STAY_MS = 1_000

/**
 * A subscription to the store, for as long as somebody in this process needs it and a moment longer. To begin and to
 * end one costs a store a connection, or a watch of its file: an agent that asks one thing after another would pay that
 * for each, between the answer and its tool.
 */
export class StoreSubscription {
  private readonly kernel: Kernel
  private readonly job: string
  private readonly listener: (partitions: readonly string[]) => void
  private stop: (() => void) | undefined

  constructor(kernel: Kernel, what: string, needed: () => boolean, listener: (partitions: readonly string[]) => void) {
    this.kernel = kernel
    this.listener = listener
    this.job = `listening for ${what}`
    kernel.scheduler.add(this.job, async () => {
      if (!needed()) this.end()
      return undefined
    })
  }

  begin(): void {
    this.stop ??= this.kernel.store.subscribe(this.listener)
  }

  /** Nobody needs it now. Where nothing ticks, nothing would end it later. */
  rest(): void {
    if (this.kernel.settings.waiting === 'suspend') this.end()
    else this.kernel.scheduler.runWithin(this.job, STAY_MS)
  }

  end(): void {
    this.stop?.()
    this.stop = undefined
  }
}
