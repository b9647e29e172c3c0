import type { Principal } from '../../base/principal.ts'
import type { Row } from '../../store/port.ts'
import type { PresenceTouch, SessionRecord } from '../api/engine.ts'
import { eachDue, type Swept } from '../records/each-due.ts'
import { inboxPresencePartition, presencePartition, sessionPartition } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import type { PresenceRow, RowTypes } from '../state/rows.ts'
import type { WaitingKernel } from './waiting-kernel.ts'

/** Hints can get lost. */
const LOOK_AGAIN_MS = 1_000

/** How long it is remembered when a user looked. No message waits for longer than the last look of this time. */
const REMEMBERED_MS = 60 * 60_000

/** Rows that one read of the sweep returns. */
const PAGE = 100

/** Of one session: users with an open stream or a recent message, and those of them who could answer. */
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
    const now = await this.write(presencePartition(tenant, sessionId), client)
    if (!now) return
    const able = now.supported && now.enabled ? [client.userId] : []
    kernel.waiters.shown(sessionPartition(tenant, sessionId), new Set(able), now.at)
  }

  /** The inbox shows the questions of all sessions, so a visible one counts as a look at each of them. */
  async inbox({ tenant = '', userId }: Principal, client: { clientId: string; visible: boolean }): Promise<void> {
    const partition = inboxPresencePartition(tenant, userId)
    if (client.visible) await this.write(partition, { ...client, userId })
    else await this.remove(partition, { ...client, userId })
  }

  /** Removes the client of this user; another user's client with the same id stays. */
  async leave(
    { tenant, sessionId }: Pick<SessionRecord, 'tenant' | 'sessionId'>,
    { clientId, userId }: Pick<PresenceTouch, 'clientId' | 'userId'>,
  ): Promise<void> {
    await this.remove(presencePartition(tenant, sessionId), { clientId, userId })
  }

  private async write(partition: string, client: PresenceTouch) {
    const { kernel } = this
    const now = await kernel.transact(partition, async (tx) => {
      const [before] = await tx.read(['presence', client.clientId])
      const until = tx.now + kernel.settings.presenceMs
      const { clientId, userId } = client
      // An id belongs to the user who sent it first, as long as that client is here.
      if (before && before.userId !== userId && before.until > tx.now) return null
      const own = before?.userId === userId ? before : undefined
      const supported = client.supported ?? own?.supported ?? true
      const enabled = client.enabled ?? own?.enabled ?? true
      // An open stream alone does not show that its page is visible.
      const isVisible = client.visible ?? (own !== undefined && !own.hidden)
      const row = { clientId, userId, supported, enabled, until, ...(!isVisible && { hidden: true }) }
      tx.put('presence', clientId, row, { due: until })
      if (own && isLooking(own) && !isLooking(row)) this.rememberLook(tx, userId, tx.now)
      return { supported, enabled, at: tx.now }
    })
    if (now) kernel.scheduler.runWithin('presence', kernel.settings.presenceMs)
    return now
  }

  private async remove(partition: string, { clientId, userId }: { clientId: string; userId: string }): Promise<void> {
    await this.kernel.transact(partition, async (tx) => {
      const [found] = await tx.read(['presence', clientId])
      if (found?.userId !== userId) return
      tx.delete('presence', clientId)
      if (isLooking(found)) this.rememberLook(tx, userId, tx.now)
    })
  }

  /** Only messages to surfaces depend on when a user last looked. */
  private rememberLook(tx: Transaction, userId: string, at: number): void {
    if (!this.kernel.outreach) return
    tx.put('looked', userId, { userId, at }, { due: at + REMEMBERED_MS })
    tx.committed(() => this.kernel.scheduler.runWithin('presence', REMEMBERED_MS))
  }

  /** Returns how long ago each of these users last looked at the session or the inbox: 0 while the user looks. */
  async unseenForMs(
    { tenant, sessionId }: { tenant: string; sessionId: string },
    users: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const session = this.looksAt(presencePartition(tenant, sessionId))
    const unseen = users.map(async (user) => {
      const looks = await Promise.all([session, this.looksAt(inboxPresencePartition(tenant, user))])
      return [user, Math.min(...looks.map((agoMs) => agoMs(user)))] as const
    })
    return new Map(await Promise.all(unseen))
  }

  /** Returns a function with the milliseconds since a user last looked at the pages of a partition. */
  private async looksAt(partition: string): Promise<(user: string) => number> {
    const { now, rows } = await this.kernel.store.snapshot(partition, ['presence', 'looked'])
    const of = (wanted: string) => rows.filter(({ kind }) => kind === wanted)
    const clients = this.kernel.rows.all('presence', of('presence'))
    const looks = this.kernel.rows.all('looked', of('looked'))
    return (user) => {
      if (clients.some((one) => one.userId === user && isLooking(one) && one.until > now)) return 0
      return Math.min(...looks.filter(({ userId }) => userId === user).map(({ at }) => Math.max(1, now - at)))
    }
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

  /** Drops clients that vanished, and looks that are too old for any message to depend on them. */
  private async sweep(): Promise<number | undefined> {
    const clients = await this.dropDue('presence', (tx, partition, found) => {
      if (found.until > tx.now) return false
      // Its last sign of life is the latest moment that is known.
      if (isLooking(found)) this.rememberLook(tx, found.userId, found.until - this.kernel.settings.presenceMs)
      tx.committed(() => this.last.delete(partition))
      return true
    })
    const looks = await this.dropDue('looked', (tx, _partition, { at }) => at + REMEMBERED_MS <= tx.now)
    const next = Math.min(clients.nextInMs ?? Number.POSITIVE_INFINITY, looks.nextInMs ?? Number.POSITIVE_INFINITY)
    return Number.isFinite(next) ? Math.max(0, next) : undefined
  }

  private dropDue<K extends 'presence' | 'looked'>(
    kind: K,
    isOver: (tx: Transaction, partition: string, found: RowTypes[K]) => boolean,
  ): Promise<Swept> {
    const work = async (_listed: RowTypes[K], { partition, id }: Row) => {
      await this.kernel.transact(partition, async (tx) => {
        const [found] = await tx.read([kind, id])
        if (found && isOver(tx, partition, found)) tx.delete(kind, id)
      })
      return true
    }
    return eachDue(this.kernel, kind, { room: () => PAGE, atOnce: false, work })
  }
}

/** Whether this client shows questions to its user now. */
const isLooking = ({ supported, enabled, hidden }: PresenceRow): boolean => supported && enabled && !hidden
