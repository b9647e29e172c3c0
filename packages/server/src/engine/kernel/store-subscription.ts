import type { Kernel } from './kernel.ts'

/** After the last one left, so long it stays: longer than from one question of an agent to its next one. */
const STAY_MS = 1_000

/**
 * A subscription to what others write to the store. It stays open while this process needs it and a moment longer: opening and closing one
 * costs a connection or a file watch, which an agent that asks repeatedly would otherwise pay for each question.
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

  get open(): boolean {
    return this.stop !== undefined
  }

  start(): void {
    this.stop ??= this.kernel.store.subscribe((...told) => {
      const foreign = this.kernel.ownCommits.foreign(...told)
      if (foreign.length > 0) this.listener(foreign)
    })
  }

  /** Unused now. Without timers nothing would end it later. */
  stopWhenUnused(): void {
    if (this.kernel.settings.waiting === 'suspend') this.end()
    else this.kernel.scheduler.runWithin(this.job, STAY_MS)
  }

  end(): void {
    this.stop?.()
    this.stop = undefined
  }
}
