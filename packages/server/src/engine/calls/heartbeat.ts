import { goodbyePartition, nodesPartition } from '../records/keys.ts'
import { encodeRow } from '../records/row-codec.ts'
import type { NodeRow } from '../state/rows.ts'
import type { CallKernel } from './call-kernel.ts'

/**
 * One heartbeat row per process. While it is fresh, other nodes leave the calls of this process alone; once it has
 * lapsed, any node may take them over.
 */
export class Heartbeat {
  private readonly kernel: CallKernel
  private beatAt = Number.NEGATIVE_INFINITY
  private first: Promise<void> | undefined
  private unfollow: (() => void) | undefined
  private hasLeft = false
  private suspects = new Map<string, { version: number; since: number }>()

  constructor(kernel: CallKernel) {
    this.kernel = kernel
    kernel.scheduler.add('heartbeat', async () => {
      // A process that owns no calls sends no heartbeat. Its next claim starts the heartbeat again.
      if (kernel.calls.size + kernel.waitersAndHooks() === 0) return undefined
      await this.beat()
      return this.everyMs
    })
  }

  /** Resolves once this process's heartbeat is stored. The process may own calls only after that. */
  async alive(): Promise<void> {
    const { environment, settings, scheduler } = this.kernel
    await this.kernel.ready()
    // The heartbeat stops when no calls are owned, so it is started again even if the latest one is still valid.
    scheduler.runWithin('heartbeat', this.everyMs)
    if (environment.now() - this.beatAt < settings.leaseMs / 2) return
    this.first ??= this.beat().finally(() => {
      this.first = undefined
    })
    await this.first
  }

  /** Subscribes to nodes that shut down, until `leave`: what they leave is taken over at once. */
  follow(): void {
    const { store, settings, scheduler } = this.kernel
    // Where nothing ticks, the next request or tick takes over.
    if (settings.waiting === 'suspend' || this.hasLeft) return
    this.unfollow ??= store.subscribe((partitions) => {
      if (partitions.includes(goodbyePartition)) scheduler.runWithin('takeover', 0)
    })
  }

  /** Releases the leases of this node: its row expires now, and the other nodes are woken. */
  async leave(): Promise<void> {
    this.hasLeft = true
    this.unfollow?.()
    this.unfollow = undefined
    if (this.beatAt === Number.NEGATIVE_INFINITY) return
    const { store, incarnation } = this.kernel
    const { now } = await store.load([])
    const data = encodeRow({ until: now })
    // Tried once: a node that shuts down does not wait for an unavailable database.
    await store.commit({ partition: nodesPartition, puts: [{ kind: 'node', id: incarnation, data, due: now }] })
    await store.commit({ partition: goodbyePartition, puts: [{ kind: 'node', id: 'last', data }] })
  }

  /**
   * Lapses nodes whose lease ends further ahead than leases last: the clock was set back, and they may be gone. One that
   * lives renews its row within a lease, so only a row that stayed as it was for a whole lease is taken.
   */
  async lapseFromTheFuture(): Promise<void> {
    const { kernel } = this
    const { now } = await kernel.store.load([])
    const suspects = new Map<string, { version: number; since: number }>()
    for (const row of await kernel.store.list(nodesPartition, 'node')) {
      const node = kernel.rows.read('node', row)
      if (!node?.leaseMs || node.until <= now + 2 * node.leaseMs) continue
      const before = this.suspects.get(row.id)
      const since = before?.version === row.version ? before.since : kernel.environment.now()
      suspects.set(row.id, { version: row.version, since })
      if (kernel.environment.now() - since < node.leaseMs) continue
      await kernel.transact(nodesPartition, async (tx) => {
        const [current] = await tx.read(['node', row.id])
        if (current?.until === node.until) tx.put('node', row.id, { ...current, until: tx.now }, { due: tx.now })
      })
    }
    this.suspects = suspects
  }

  private get everyMs(): number {
    return Math.max(10, this.kernel.settings.leaseMs / 3)
  }

  private async beat(): Promise<void> {
    const { kernel } = this
    const before = kernel.environment.now()
    await kernel.transact(nodesPartition, async (tx) => {
      await tx.read(['node', kernel.incarnation])
      const until = tx.now + kernel.settings.leaseMs
      tx.put('node', kernel.incarnation, { until, leaseMs: kernel.settings.leaseMs }, { due: until })
    })
    const pause = before - this.beatAt
    this.beatAt = before
    // Asleep for longer than the lease: another process may have taken over the calls.
    if (pause > kernel.settings.leaseMs) kernel.wakeAllWaiters()
    kernel.ownershipWatch.checkAll()
  }
}

export const isAlive = (row: NodeRow | null, now: number): boolean => row !== null && row.until > now
