import { encodeRow } from './codec.ts'
import type { Core } from './core.ts'
import { nodesPartition } from './names.ts'
import type { NodeRow } from './rows.ts'

/**
 * One heartbeat row a process. While it is fresh, the calls that this process owns are left alone; once it lapsed,
 * anybody may take them.
 */
export class Nodes {
  private readonly core: Core
  private beatAt = Number.NEGATIVE_INFINITY
  private first: Promise<void> | undefined

  constructor(core: Core) {
    this.core = core
    core.alarm.add('heartbeat', async () => {
      // Who owns nothing needs no heart; the next claim starts it again.
      if (core.calls.size + core.waiters.size + core.outbox.busy === 0) return undefined
      await this.beat()
      return this.everyMs
    })
  }

  /** Resolves once the store knows that this process lives. Nothing may be owned before. */
  async alive(): Promise<void> {
    const { environment, settings, alarm } = this.core
    await this.core.ready()
    // The heart stops when nothing is owned, so it is started again even where the last beat still counts.
    alarm.within('heartbeat', this.everyMs)
    if (environment.now() - this.beatAt < settings.leaseMs / 2) return
    this.first ??= this.beat().finally(() => {
      this.first = undefined
    })
    await this.first
  }

  /** Says goodbye, so that what is left can be taken over at once. */
  async leave(): Promise<void> {
    if (this.beatAt === Number.NEGATIVE_INFINITY) return
    const { store, incarnation } = this.core
    const { now } = await store.load([])
    const data = encodeRow({ until: now })
    // Without a second try: whoever ends has no time for a database that is away.
    await store.commit({ partition: nodesPartition, puts: [{ kind: 'node', id: incarnation, data, due: now }] })
  }

  private get everyMs(): number {
    return Math.max(10, this.core.settings.leaseMs / 3)
  }

  private async beat(): Promise<void> {
    const { core } = this
    const before = core.environment.now()
    await core.transact(nodesPartition, async (tx) => {
      await tx.read(['node', core.incarnation])
      const until = tx.now + core.settings.leaseMs
      tx.put('node', core.incarnation, { until }, { due: until })
    })
    const pause = before - this.beatAt
    this.beatAt = before
    // Asleep for longer than the lease: somebody may have taken the calls over meanwhile.
    if (pause > core.settings.leaseMs) core.waiters.checkAll()
    core.callWatch.checkAll()
  }
}

export const isAlive = (row: NodeRow | null, now: number): boolean => row !== null && row.until > now
