import { pause } from '../../base/environment.ts'
import { errorFacts } from '../../base/logger.ts'
import { taggedPages } from '../../store/every-page.ts'
import type { CallKernel } from '../calls/call-kernel.ts'
import { retryUntilStored } from '../kernel/retry-until-stored.ts'
import { eachDue } from '../records/each-due.ts'
import { DEAD_TAG, deliveryTag, FAILING_TAG, ownerTag, PARKED_TAG, RUNNING_TAG, randomId } from '../records/keys.ts'
import type { DeliveryRow } from '../state/rows.ts'
import { hookName, hookOf, isKnownDelivery } from './hooks.ts'
import { Later, retryAfterOf } from './later.ts'
import { HOOK_MS, Places } from './places.ts'

const PAGE = 50
/** Without timers, a sweep ends after so many deliveries that found no place. */
const MOST_WAITING = 256
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 5 * 60_000
const IDLE_MS = 30_000
const SOON_MS = 2
const AT_ONCE = 32
const MOST_ATTEMPTS = 100
const LONGEST_AGE_MS = 7 * 24 * 60 * 60_000

/** Passes each delivery to its hook at least once, under a stable id, until the hook resolves. */
export class Outbox {
  private readonly kernel: CallKernel
  private readonly hooks = new Set<Promise<void>>()
  /** Claims that are being written; their hooks are not in `hooks` yet. */
  private readonly starting = new Set<Promise<boolean>>()
  /** The deliveries whose hooks are under way here. */
  private readonly places: Places
  /** True if a due delivery did not get a place. */
  private full = false
  /** The ids that promises have consumed and the store does not know yet, by partition. */
  private readonly received = new Map<string, Set<string>>()

  constructor(kernel: CallKernel) {
    this.kernel = kernel
    this.places = new Places(() => kernel.environment.now(), kernel.settings.deliveries?.atOnce ?? AT_ONCE)
    kernel.scheduler.add('deliveries', () => this.sweep())
  }

  /** Something is due now. */
  runSoon(): void {
    const { kernel } = this
    // Where nothing ticks, it is done at once.
    if (kernel.settings.waiting === 'suspend') kernel.background('deliveries', this.sweep())
    else kernel.scheduler.runWithin('deliveries', 0)
  }

  /** Removes the delivery of an outcome that the waiting promise has received. */
  acknowledge(partition: string, deliveryId: string): void {
    const ids = this.received.get(partition)
    if (ids) return void ids.add(deliveryId)
    this.received.set(partition, new Set([deliveryId]))
    this.kernel.background('acknowledging results', this.acknowledgeSoon(partition))
  }

  /** Writes pending acknowledgements before the process ends, because unacknowledged deliveries are repeated. */
  async flush(): Promise<void> {
    await Promise.all([...this.received.keys()].map((partition) => this.acknowledgeNow(partition)))
  }

  /** The waiting code continues first, and outcomes taken at the same time share one commit. */
  private async acknowledgeSoon(partition: string): Promise<void> {
    await pause(this.kernel.environment, 0)
    await this.acknowledgeNow(partition)
  }

  private async acknowledgeNow(partition: string): Promise<void> {
    const taken = [...(this.received.get(partition) ?? [])]
    this.received.delete(partition)
    if (taken.length === 0) return
    // Usually the rows are unchanged since they were written, so no read is needed.
    const deletes = taken.map((id) => ({ kind: 'delivery', id, expect: 1 }))
    const done = await this.kernel.store.commit({ partition, deletes }).catch(() => ({ ok: false }))
    if (done.ok) return
    await this.kernel.transact(partition, async (tx) => {
      const rows = await tx.read(...taken.map((id) => ['delivery', id] as const))
      // One attempt was made already: its hook acknowledges.
      for (const row of rows) if (row?.attempts === 0) tx.delete('delivery', row.deliveryId)
    })
  }

  /** Hooks that are running. */
  get busy(): number {
    return this.hooks.size
  }

  /** Resolves when no hook is running or about to start. */
  async settled(): Promise<void> {
    while (this.hooks.size + this.starting.size > 0) {
      // A claim that cannot be written is reported to the sweep that wrote it.
      await Promise.allSettled(this.starting)
      await Promise.all(this.hooks)
    }
  }

  /** Starts everything that is due. Hooks run side by side, so a slow one does not delay the others. */
  async sweep(): Promise<number | undefined> {
    return (await this.pass()).againInMs
  }

  /** Starts due deliveries. `full` is true if some of them did not get a place. */
  private async pass(): Promise<{ againInMs: number; full: boolean }> {
    const waiting = new Map<string, number>()
    const waits = () => [...waiting.values()].reduce((sum, count) => sum + count, 0)
    let isFull = false
    const { nextInMs } = await eachDue(this.kernel, 'delivery', {
      room: () => {
        const room = waits() < MOST_WAITING ? this.places.room : 0
        isFull = room === 0
        if (isFull) this.full = true
        return room
      },
      atOnce: true,
      work: (row, { partition }) => this.attempt(partition, row, waiting),
    })
    const againInMs = nextInMs === undefined ? IDLE_MS : Math.min(IDLE_MS, Math.max(SOON_MS, nextInMs))
    return { againInMs, full: isFull || waiting.size > 0 }
  }

  /** Makes deliveries due whose hook was missing and now exists. */
  async unpark(): Promise<void> {
    for await (const page of taggedPages(this.kernel.store, PARKED_TAG, PAGE)) {
      let moved = 0
      for (const row of page.rows) {
        const parked = this.kernel.rows.read('delivery', row)
        if (!parked || !hookOf(this.kernel, parked)) continue
        await this.write(row.partition, parked, undefined, (now) => ({ row: parked, due: now }))
        moved++
      }
      if (moved > 0) this.runSoon()
    }
  }

  /** Sweeps until nothing is due, and waits for the hooks. */
  async drain(): Promise<void> {
    for (let full = true; full; ) {
      full = (await this.pass()).full
      await this.settled()
    }
  }

  /** Whether this process runs the hook of this delivery now. */
  isRunning(deliveryId: string): boolean {
    return this.places.has(deliveryId)
  }

  /** Resolves with false for a delivery that stays due. */
  private async attempt(partition: string, seen: DeliveryRow, waiting: Map<string, number>): Promise<boolean> {
    const { kernel } = this
    const { deliveryId } = seen
    if (this.places.has(deliveryId)) {
      // Its hook hangs. While this process lives, the delivery is not started again.
      kernel.log.warn('a delivery hook has been running for minutes', { deliveryId })
      const tags = this.runningTags(deliveryId)
      await this.write(partition, seen, seen.claim, (now) => ({ row: seen, due: now + HOOK_MS, tags }))
      return true
    }
    // Left to nodes of a newer release on the same store, which wrote it.
    if (!isKnownDelivery(seen)) return false
    if (!hookOf(kernel, seen)) {
      await this.park(partition, seen)
      return true
    }
    if (!this.places.isFree(seen)) return await this.wait(partition, seen, waiting)
    this.places.take(seen)
    const starting = this.start(partition, seen)
    this.starting.add(starting)
    try {
      if (!(await starting)) this.release(seen)
    } catch (error) {
      this.places.leave(seen)
      throw error
    } finally {
      this.starting.delete(starting)
    }
    return true
  }

  /** Resolves with false if the delivery stays due. Only so many do, because each sweep would read all of them again. */
  private async wait(partition: string, seen: DeliveryRow, waiting: Map<string, number>): Promise<boolean> {
    this.full = true
    const waitMs = this.places.waitMs(seen, waiting)
    // Without timers, nothing starts it at a later time.
    if (waitMs === undefined || this.kernel.settings.waiting === 'suspend') return false
    const tags = [...(seen.attempts > 0 ? [FAILING_TAG] : []), deliveryTag(seen.deliveryId)]
    const row: DeliveryRow = { ...seen, waited: true }
    await this.write(partition, seen, seen.claim, (now) => ({ row, due: now + waitMs, tags }))
    return true
  }

  /**
   * Frees a place and schedules a sweep if a delivery waits for one. Places that become free together share a sweep.
   */
  private release(row: DeliveryRow): void {
    this.places.leave(row)
    if (!this.full) return
    this.full = false
    if (this.kernel.settings.waiting === 'suspend') this.runSoon()
    else this.kernel.scheduler.runWithin('deliveries', SOON_MS)
  }

  private async start(partition: string, seen: DeliveryRow): Promise<boolean> {
    const { kernel } = this
    await kernel.heartbeat.alive()
    // The process that writes its claim first makes the attempt; for the others the row is then no longer due.
    const claim = randomId(kernel.environment)
    const row: DeliveryRow = { ...seen, attempts: seen.attempts + 1, claim }
    const tags = this.runningTags(seen.deliveryId)
    const mine = await this.write(partition, seen, claim, (now) => ({ row, due: now + HOOK_MS, tags }))
    if (!mine) return false
    const hook = this.deliver(partition, row)
    this.hooks.add(hook)
    kernel.background(
      'a delivery',
      hook.finally(() => {
        this.hooks.delete(hook)
        this.release(seen)
      }),
    )
    return true
  }

  private runningTags(deliveryId: string): string[] {
    return [ownerTag(this.kernel.incarnation), RUNNING_TAG, deliveryTag(deliveryId)]
  }

  private async deliver(partition: string, row: DeliveryRow): Promise<void> {
    const { kernel } = this
    try {
      const made = await hookOf(kernel, row)?.()
      if (made instanceof Later) return await this.postpone(partition, row, made)
      await retryUntilStored(kernel, () =>
        kernel.transact(partition, async (tx) => tx.delete('delivery', row.deliveryId)),
      )
      this.report('delivered', row)
    } catch (error) {
      const { maxAttempts = MOST_ATTEMPTS, maxAgeMs = LONGEST_AGE_MS } = kernel.settings.deliveries ?? {}
      const backoff = Math.max(
        Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (row.attempts - 1)),
        retryAfterOf(error),
      )
      let dead = false
      await this.write(partition, row, row.claim, (now) => {
        dead = row.attempts >= maxAttempts || now - row.at >= maxAgeMs
        const tags = [dead ? DEAD_TAG : FAILING_TAG, deliveryTag(row.deliveryId)]
        return { row, due: dead ? null : now + backoff, tags }
      })
      const facts = { deliveryId: row.deliveryId, attempts: row.attempts, ...errorFacts(error) }
      if (dead) kernel.log.error('a delivery was given up: holdpoint.deliveries lists, retries and drops it', facts)
      else kernel.log.warn('a delivery failed and will be repeated', facts)
      if (!dead) kernel.scheduler.runWithin('deliveries', backoff)
      this.report('delivery_failed', row)
    }
  }

  /** The attempt does not count, so waiting never makes a dead letter. */
  private async postpone(partition: string, row: DeliveryRow, { ms, rest = row }: Later): Promise<void> {
    const tags = [deliveryTag(row.deliveryId)]
    await this.write(partition, row, row.claim, (now) => ({
      row: { ...rest, attempts: row.attempts - 1, at: now },
      due: now + ms,
      tags,
    }))
    this.kernel.scheduler.runWithin('deliveries', ms)
  }

  /** The process that called the hook has died. */
  async takeOver(partition: string, id: string): Promise<void> {
    await this.kernel.transact(partition, async (tx) => {
      const [row] = await tx.read(['delivery', id])
      if (row) tx.put('delivery', id, row, { due: tx.now })
    })
    this.runSoon()
  }

  /** Kept until a process comes that has the hook. */
  private async park(partition: string, row: DeliveryRow): Promise<void> {
    const hook = hookName(row)
    this.kernel.log.warn(
      hook === 'addSurfaces'
        ? 'a message for a surface waits, and this process has no surfaces: call addSurfaces after createHoldpoint'
        : `there is something to deliver and no ${hook}: pass it as hooks: { ${hook} } to createHoldpoint`,
      { deliveryId: row.deliveryId },
    )
    await this.write(partition, row, undefined, () => ({
      row,
      due: null,
      tags: [PARKED_TAG, deliveryTag(row.deliveryId)],
    }))
  }

  /** Changes a delivery unless another process changed it since it was read; `claim` recognizes its own write. */
  private write(
    partition: string,
    seen: DeliveryRow,
    claim: string | undefined,
    change: (now: number) => { row: DeliveryRow; due: number | null; tags?: string[] },
  ): Promise<boolean> {
    return this.kernel.transact(partition, async (tx) => {
      const [row] = await tx.read(['delivery', seen.deliveryId])
      if (!row) return false
      if (row.attempts !== seen.attempts) return row.claim === claim
      const next = change(tx.now)
      tx.put('delivery', seen.deliveryId, next.row, next)
      return true
    })
  }

  private report(type: 'delivered' | 'delivery_failed', row: DeliveryRow): void {
    if (row.type === 'remembered_approval') return
    const { tenant, sessionId, runId, toolCallId, toolName, attempts, at } = row
    this.kernel.emit({ type, at, tenant, sessionId, runId, toolCallId, toolName, attempts, delivery: row.type })
  }
}
