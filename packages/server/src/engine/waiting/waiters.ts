import { errorFacts } from '../../base/logger.ts'
import { SmallMap } from '../../base/small-map.ts'
import { callRefs } from '../calls/claim-call.ts'
import type { Execution } from '../calls/execution.ts'
import { StoreSubscription } from '../kernel/store-subscription.ts'
import type { Written } from '../records/touched-rows.ts'
import type { KnownRows } from '../records/transaction.ts'
import type { QuestionRow } from '../state/rows.ts'
import { isCancelled } from '../state/run-steps.ts'
import { type Behavior, Waiter } from './waiter.ts'
import type { WaitingKernel } from './waiting-kernel.ts'

/** So many waiters of one session are looked up at once; for more, its log says which of them are concerned. */
const FEW = 16
const LOG_PAGE = 500
const LOAD_PAGE = 100
/** Notifications can get lost, so this number of waiters is checked at each poll, in turns. */
const POLL_PAGE = 300
const POLL_MS = 1_000

interface Watch {
  readonly partition: string
  readonly waiters: SmallMap<string, Waiter>
  /** Interaction ids to look at; `woken`: something happened in the session. */
  dirty: Set<string> | undefined
  woken: boolean
  draining: boolean
  /** The log was read up to here. */
  seq?: number
}

/**
 * The promises of this process that wait for a person. They hold nothing that the store does not know: a hint that a
 * session changed, or a slow poll where hints get lost, makes them look at their rows again.
 */
export class Waiters {
  private readonly kernel: WaitingKernel
  private readonly watches = new Map<string, Watch>()
  private readonly held = new Map<Waiter, number>()
  /** Questions that are being opened here, by their ids, as they are opened. */
  private readonly expected = new Map<string, { row: QuestionRow; partition: string; changed: boolean }>()
  private readonly listening: StoreSubscription
  private count = 0

  constructor(kernel: WaitingKernel) {
    this.kernel = kernel
    this.listening = new StoreSubscription(
      kernel,
      'answers',
      () => !this.needless,
      (partitions) => {
        for (const expected of this.expected.values()) {
          if (partitions.includes(expected.partition)) expected.changed = true
        }
        for (const partition of partitions) this.check(partition)
      },
    )
    kernel.scheduler.add('poll', async () => this.poll())
  }

  get size(): number {
    return this.count
  }

  /** A question is about to be opened here, for an execution that will wait for it. */
  expect(partition: string, row: QuestionRow): void {
    this.expected.set(row.id, { row, partition, changed: !this.listening.open })
    this.listening.start()
  }

  /** Returns whether the question may have changed since it was expected, and stops expecting it. */
  isChanged(row: QuestionRow): boolean {
    const { changed = true } = this.expected.get(row.id) ?? {}
    this.unexpect(row)
    return changed
  }

  /** It was not opened, or no code waits for it. */
  unexpect(row: QuestionRow): void {
    if (this.expected.delete(row.id) && this.needless) this.listening.stopWhenUnused()
  }

  /** Waits for a question on behalf of an execution. */
  wait(
    execution: Execution,
    row: QuestionRow,
    behavior: Behavior,
    promised: ConstructorParameters<typeof Waiter>[4],
  ): Waiter {
    const waiter = new Waiter(this.kernel, execution, row, behavior, promised)
    this.add(waiter)
    this.kernel.scheduler.runWithin('poll', POLL_MS)
    const changed = this.isChanged(row)
    // An outcome does not change, so it is not read again. The caller may still leave in this turn.
    if (row.outcome) queueMicrotask(() => this.notifyOutcome(waiter, row))
    // It may have been answered since it was read, or long before.
    else if (changed) this.check(execution.partition, row.id)
    return waiter
  }

  /** The waiter of this process for this question. */
  find(partition: string, id: string): Waiter | undefined {
    return this.watches.get(partition)?.waiters.get(id)
  }

  /** A commit that will tell this waiter itself is under way: until `release` it need not look. */
  hold(waiter: Waiter): void {
    this.held.set(waiter, (this.held.get(waiter) ?? 0) + 1)
  }

  release(waiter: Waiter): void {
    const holds = this.held.get(waiter) ?? 0
    if (holds > 1) return void this.held.set(waiter, holds - 1)
    this.held.delete(waiter)
    if (!waiter.over) this.check(waiter.execution.partition, waiter.interactionId)
  }

  /** Tells a waiter how its question stands. */
  notify(waiter: Waiter, row: QuestionRow | null, fence: number | undefined, known?: KnownRows): void {
    void waiter.update(row, fence, known).finally(() => {
      if (waiter.over) this.remove(waiter)
    })
  }

  private notifyOutcome(waiter: Waiter, row: QuestionRow): void {
    const { execution, interactionId } = waiter
    if (this.find(execution.partition, interactionId) === waiter) this.notify(waiter, row, execution.fence)
  }

  /** The same promise waits for the next prompt. */
  move(waiter: Waiter, id: string): void {
    this.remove(waiter)
    waiter.interactionId = id
    this.add(waiter)
    this.check(waiter.execution.partition, id)
  }

  remove(waiter: Waiter): void {
    const { execution } = waiter
    const watch = this.watches.get(execution.partition)
    if (watch?.waiters.get(waiter.interactionId) !== waiter) return
    watch.waiters.delete(waiter.interactionId)
    if (watch.waiters.size === 0) this.watches.delete(execution.partition)
    this.count--
    execution.waiting--
    this.kernel.calls.unregisterIdle(execution)
    if (this.count === 0) this.stopListening()
  }

  /** A user who can answer opened this session: questions that were not shown yet are shown now. */
  shown(partition: string, users: ReadonlySet<string>, now: number): void {
    for (const waiter of this.watches.get(partition)?.waiters.values() ?? []) waiter.show(users, now)
  }

  /** Something may have happened to this question, or to any of a session's. */
  check(partition: string, id?: string): void {
    const watch = this.watches.get(partition)
    if (!watch) return
    if (id === undefined) watch.woken = true
    else {
      watch.dirty ??= new Set()
      watch.dirty.add(id)
    }
    if (!watch.draining) void this.drain(watch)
  }

  /** Marks rows that this process wrote itself. */
  onOwnCommit(partition: string, written: readonly Written[]): void {
    const watch = this.watches.get(partition)
    if (!watch && this.expected.size === 0) return
    for (const { kind, id, row } of written) {
      if (kind === 'question' || kind === 'ended') {
        const expected = this.expected.get(id)
        if (expected && expected.row !== row) expected.changed = true
        const waiter = watch?.waiters.get(id)
        // One that is held looks when it is released.
        if (waiter && !this.held.has(waiter)) this.check(partition, id)
      } else if (kind === 'call') {
        for (const { execution, interactionId } of watch?.waiters.values() ?? []) {
          if (execution.id === id && execution.fence !== row?.fence) this.check(partition, interactionId)
        }
      }
    }
  }

  /** Every question, whatever the hints say. */
  checkAll(): void {
    for (const [partition, { waiters }] of this.watches) for (const id of waiters.keys()) this.check(partition, id)
  }

  /**
   * Waiters of a closed process never settle. If they rejected, tools would record a failure and agents would report
   * it, for a question that continues in the next process.
   */
  close(): void {
    this.expected.clear()
    this.listening.end()
    this.watches.clear()
    this.count = 0
  }

  private add(waiter: Waiter): void {
    const { partition } = waiter.execution
    let watch = this.watches.get(partition)
    if (!watch) {
      watch = { partition, waiters: new SmallMap(), dirty: undefined, woken: false, draining: false }
      this.watches.set(partition, watch)
    }
    const before = watch.waiters.get(waiter.interactionId)
    if (before) {
      // The newer wait for a question has its handlers; the older one ends.
      before.fail(before.execution.lose())
      this.remove(before)
      if (!this.watches.has(partition)) this.watches.set(partition, watch)
    }
    watch.waiters.set(waiter.interactionId, waiter)
    this.count++
    waiter.execution.waiting++
    this.kernel.calls.register(waiter.execution)
    if (this.count === 1) this.startListening()
  }

  /** Stores look for changes only while there are listeners. */
  private startListening(): void {
    this.kernel.scheduler.keepProcessAlive(true)
    this.listening.start()
  }

  private stopListening(): void {
    this.kernel.scheduler.keepProcessAlive(false)
    this.listening.stopWhenUnused()
  }

  private get needless(): boolean {
    return this.count + this.expected.size === 0
  }

  private async drain(watch: Watch): Promise<void> {
    watch.draining = true
    // One commit may ask for the same look in several ways.
    await undefined
    try {
      while (watch.dirty || watch.woken) {
        const ids = watch.dirty ?? new Set<string>()
        watch.dirty = undefined
        if (watch.woken) {
          watch.woken = false
          for (const id of await this.concerned(watch)) ids.add(id)
        }
        const waiters = [...ids].flatMap((id) => watch.waiters.get(id) ?? []).filter((one) => !this.held.has(one))
        for (let at = 0; at < waiters.length; at += LOAD_PAGE) {
          await this.reload(watch.partition, waiters.slice(at, at + LOAD_PAGE))
        }
      }
    } catch (error) {
      this.kernel.log.warn('waiting questions could not be read; trying again', errorFacts(error))
      watch.woken = false
      this.kernel.scheduler.runWithin('poll', POLL_MS)
    } finally {
      watch.draining = false
    }
  }

  private async reload(partition: string, waiters: readonly Waiter[]): Promise<void> {
    const ids = waiters.map(({ interactionId }) => interactionId)
    const refs = waiters.flatMap(({ interactionId, execution }) => [
      ['question', interactionId] as const,
      ['ended', interactionId] as const,
      ...callRefs(execution),
    ])
    const { now, rows } = await this.kernel.store.load(refs.map(([kind, id]) => ({ partition, kind, id })))
    const known: KnownRows = {
      now,
      find(kind, id) {
        const at = refs.findIndex((ref) => ref[1] === id && ref[0] === kind)
        return at < 0 ? undefined : (rows[at] ?? null)
      },
    }
    waiters.forEach((waiter, index) => {
      // It continued with the next prompt.
      if (waiter.interactionId !== ids[index]) return
      const [live, ended, _session, call, _run, idle] = rows.slice(index * 6, index * 6 + 6)
      const stored = live ?? ended
      const row = stored ? this.kernel.rows.read('question', stored) : null
      const run = idle ? this.kernel.rows.read('idle', idle) : null
      // A cancelled run is not among those that wait.
      if (run && isCancelled(run)) waiter.execution.cancel(run.reason)
      const callRow = call ? this.kernel.rows.read('call', call) : null
      // A row of a newer release is ignored here; the process that wrote it acts on it.
      if ((stored && !row) || (call && !callRow)) return
      const fence = callRow?.fence
      if (waiter.isHandling) {
        if (row?.outcome || fence !== waiter.execution.fence) waiter.interrupt()
        return
      }
      this.notify(waiter, row, fence, known)
    })
  }

  /** Which waiters of a woken session must look. */
  private async concerned(watch: Watch): Promise<Iterable<string>> {
    if (watch.waiters.size <= FEW) return watch.waiters.keys()
    const from = watch.seq === undefined ? Number.MAX_SAFE_INTEGER : watch.seq + 1
    const page = await this.kernel.store.readLog(watch.partition, { from, limit: LOG_PAGE })
    const missed =
      watch.seq === undefined || page.floor > from || page.events.length === LOG_PAGE || page.head < from - 1
    watch.seq = page.head
    if (missed) return watch.waiters.keys()
    return page.events.flatMap(({ json }) => {
      const { interactionId } = JSON.parse(json) as { interactionId?: unknown }
      return typeof interactionId === 'string' ? [interactionId] : []
    })
  }

  private poll(): number | undefined {
    let left = POLL_PAGE
    for (const watch of [...this.watches.values()]) {
      if (left <= 0) break
      left -= watch.waiters.size
      // Back to the end of the line.
      this.watches.delete(watch.partition)
      this.watches.set(watch.partition, watch)
      for (const id of watch.waiters.keys()) this.check(watch.partition, id)
    }
    return this.count > 0 ? POLL_MS : undefined
  }
}
