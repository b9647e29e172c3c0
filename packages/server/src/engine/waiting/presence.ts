import type { PresenceTouch, SessionRecord } from '../api/engine.ts'
import { presencePartition, sessionPartition } from '../records/keys.ts'
import type { WaitingKernel } from './waiting-kernel.ts'

/** Hints can get lost. */
const LOOK_AGAIN_MS = 1_000

/** Of one session: who looks, and who of them could answer. */
export interface Watching {
  users: ReadonlySet<string>
  able: ReadonlySet<string>
}

/**
 * Clients report whether they show questions, and are removed after a silence. Presence is in the store, so any node
 * can read it.
 */
export class Presence {
  private readonly kernel: WaitingKernel
  /** The last known presence of this process, for answers that cannot wait. */
  private readonly last = new Map<string, Watching & { at: number }>()

  constructor(kernel: WaitingKernel) {
    this.kernel = kernel
    kernel.scheduler.add('presence', () => this.sweep())
  }

  async touch(
    { tenant, sessionId }: Pick<SessionRecord, 'tenant' | 'sessionId'>,
    client: PresenceTouch,
  ): Promise<void> {
    const { kernel } = this
    const partition = presencePartition(tenant, sessionId)
    const now = await kernel.transact(partition, async (tx) => {
      const [before] = await tx.read(['presence', client.clientId])
      const until = tx.now + kernel.settings.presenceMs
      const { clientId, userId } = client
      // An id belongs to the user who sent it first, as long as that client is here.
      if (before && before.userId !== userId && before.until > tx.now) return null
      const own = before?.userId === userId ? before : undefined
      const supported = client.supported ?? own?.supported ?? true
      const enabled = client.enabled ?? own?.enabled ?? true
      tx.put('presence', clientId, { clientId, userId, supported, enabled, until }, { due: until })
      return { supported, enabled, at: tx.now }
    })
    if (!now) return
    kernel.scheduler.runWithin('presence', kernel.settings.presenceMs)
    const able = now.supported && now.enabled ? [client.userId] : []
    kernel.waiters.shown(sessionPartition(tenant, sessionId), new Set(able), now.at)
  }

  /** Removes the client of this user; another user's client with the same id stays. */
  async leave(
    { tenant, sessionId }: Pick<SessionRecord, 'tenant' | 'sessionId'>,
    { clientId, userId }: Pick<PresenceTouch, 'clientId' | 'userId'>,
  ): Promise<void> {
    await this.kernel.transact(presencePartition(tenant, sessionId), async (tx) => {
      const [found] = await tx.read(['presence', clientId])
      if (found?.userId === userId) tx.delete('presence', clientId)
    })
  }

  /** Returns the present clients of all nodes. */
  async watching(tenant: string, sessionId: string): Promise<Watching> {
    const partition = presencePartition(tenant, sessionId)
    const { now, rows } = await this.kernel.store.snapshot(partition, ['presence'])
    const here = this.kernel.rows.all('presence', rows).filter(({ until }) => until > now)
    const watching = {
      users: new Set(here.map(({ userId }) => userId)),
      able: new Set(here.filter(({ supported, enabled }) => supported && enabled).map(({ userId }) => userId)),
    }
    if (here.length > 0) this.last.set(partition, { ...watching, at: this.kernel.environment.now() })
    else this.last.delete(partition)
    return watching
  }

  /** Resolves with true once one of these users could answer, with false after `graceMs`. */
  async appears(
    { tenant, sessionId }: { tenant: string; sessionId: string },
    users: readonly string[],
    graceMs: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { environment, store } = this.kernel
    const partition = presencePartition(tenant, sessionId)
    const until = environment.now() + graceMs
    let wake = () => {}
    const stop = store.subscribe((partitions) => partitions.includes(partition) && wake())
    try {
      for (;;) {
        signal.throwIfAborted()
        const changed = new Promise<void>((resolve) => {
          wake = resolve
        })
        const { able } = await this.watching(tenant, sessionId)
        if (users.some((user) => able.has(user))) return true
        const left = until - environment.now()
        if (left <= 0) return false
        const timer = environment.setTimeout(() => wake(), Math.min(left, LOOK_AGAIN_MS), true)
        signal.addEventListener('abort', wake, { once: true })
        await changed
        signal.removeEventListener('abort', wake)
        environment.clearTimeout(timer)
      }
    } finally {
      stop()
    }
  }

  lastKnown(tenant: string, sessionId: string): Watching | undefined {
    return this.last.get(presencePartition(tenant, sessionId))
  }

  /** The users of the last look, if it was a moment ago. */
  justSeen(tenant: string, sessionId: string): Watching | undefined {
    const last = this.last.get(presencePartition(tenant, sessionId))
    return last && this.kernel.environment.now() - last.at < LOOK_AGAIN_MS ? last : undefined
  }

  /** Drops clients that vanished. */
  private async sweep(): Promise<number | undefined> {
    const { now, rows, nextDue } = await this.kernel.store.due('presence')
    for (const row of rows) {
      await this.kernel.transact(row.partition, async (tx) => {
        const [found] = await tx.read(['presence', row.id])
        if (found && found.until <= tx.now) tx.delete('presence', row.id)
      })
      this.last.delete(row.partition)
    }
    return nextDue === undefined ? undefined : Math.max(0, nextDue - now)
  }
}
