import { HoldpointError, type HoldpointEvent, isHoldpointError } from '@holdpoint/core'

import { errorFacts } from '../../base/logger.ts'
import { encodeHostEvent } from '../kernel/encode-host-event.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { retryUntilStored } from '../kernel/retry-until-stored.ts'
import { callId, turnId } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import { iso } from '../state/question-events.ts'
import type { TurnRow } from '../state/rows.ts'

/** The number of events that may wait before the writer is slowed down. */
const ROOM_EVENTS = 64
const ROOM_BYTES = 64 * 1024
const BATCH = 64
/** Text is joined up to here: an event has a limit. */
const JOINED = 16 * 1024

type TextOrCallEvent = { type: string; [field: string]: unknown }

/**
 * Writes what a turn says, in its order and only while it is the session's turn. Text that waits is joined, so a slow
 * store costs fewer and larger events, not memory.
 */
export class TurnWriter {
  readonly runId: string
  private readonly kernel: Kernel
  private readonly partition: string
  private readonly sessionId: string
  private readonly fence: number
  private readonly controller = new AbortController()
  private readonly stopListening: () => void
  private waiting: TextOrCallEvent[] = []
  private bytes = 0
  private work: Promise<void> | undefined
  private waitingForRoom: (() => void)[] = []
  private checking = false
  /** The session changed since the turn was last checked. */
  private stale = false

  constructor(
    kernel: Kernel,
    partition: string,
    { sessionId, runId, fence }: { sessionId: string; runId: string; fence: number },
  ) {
    this.kernel = kernel
    this.partition = partition
    this.sessionId = sessionId
    this.runId = runId
    this.fence = fence
    this.stopListening = kernel.store.subscribe((partitions) => {
      if (partitions.includes(partition)) void this.checkFence()
    })
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Resolves when there is room for more. */
  async write(event: TextOrCallEvent): Promise<void> {
    this.signal.throwIfAborted()
    const last = this.waiting.at(-1)
    const joins = event.type === 'content' && last?.type === 'content' && `${last.text}`.length < JOINED
    if (joins) last.text = `${last.text}${event.text}`
    else this.waiting.push({ ...event })
    this.bytes += event.type === 'content' ? `${event.text}`.length : 0
    this.work ??= this.flush()
    if (this.waiting.length < ROOM_EVENTS && this.bytes < ROOM_BYTES) return
    await new Promise<void>((resolve) => this.waitingForRoom.push(resolve))
    this.signal.throwIfAborted()
  }

  /** Rejects when what was written could not be. */
  async drained(): Promise<void> {
    await this.work
    this.signal.throwIfAborted()
  }

  /** A transaction that is the turn's: rejects with `turn_superseded` when it is another's by now. */
  guarded<T>(work: (tx: Transaction, turn: TurnRow) => Promise<T>): Promise<T> {
    const { kernel } = this
    return retryUntilStored(kernel, () =>
      kernel.transact(this.partition, async (tx) => {
        const [turn] = await tx.read(['turn', turnId()])
        if (!turn || turn.fence !== this.fence || turn.ended) throw this.superseded()
        return await work(tx, turn)
      }),
    )
  }

  close(): void {
    this.stopListening()
  }

  /**
   * The session changed: is it still this turn's? A check or write in progress may have read older rows, so another
   * check follows.
   */
  private async checkFence(): Promise<void> {
    this.stale = true
    if (this.checking || this.work || this.signal.aborted) return
    this.checking = true
    try {
      while (this.stale && !this.signal.aborted) {
        this.stale = false
        await this.guarded(async () => {})
      }
    } catch (error) {
      if (!isHoldpointError(error, 'turn_superseded')) {
        this.kernel.log.warn('a turn could not be looked up', errorFacts(error))
      }
    } finally {
      this.checking = false
    }
  }

  private async flush(): Promise<void> {
    try {
      // Wait a tick, so that the events of one tick are one write.
      await Promise.resolve()
      while (this.waiting.length > 0) {
        const batch = this.waiting.splice(0, BATCH)
        for (const { type, text } of batch) this.bytes -= type === 'content' ? `${text}`.length : 0
        this.stale = false
        await this.guarded((tx) => this.append(tx, batch))
        this.resumeWriters()
      }
    } catch (error) {
      this.controller.abort(error)
      this.waiting = []
      this.close()
    } finally {
      this.work = undefined
      this.resumeWriters()
      if (this.stale) void this.checkFence()
    }
  }

  private async append(tx: Transaction, batch: readonly TextOrCallEvent[]): Promise<void> {
    const known = await this.ownCalls(tx, batch)
    for (const entry of batch) {
      // The engine writes the story of the calls that it runs.
      if (typeof entry.toolCallId === 'string' && known.has(entry.toolCallId)) continue
      const event = { timestamp: iso(tx.now), ...entry, sessionId: this.sessionId, runId: this.runId }
      tx.eventText(encodeHostEvent(this.kernel, event as HoldpointEvent))
    }
  }

  private async ownCalls(tx: Transaction, batch: readonly TextOrCallEvent[]): Promise<ReadonlySet<string>> {
    const ids = [...new Set(batch.flatMap(({ toolCallId }) => (typeof toolCallId === 'string' ? [toolCallId] : [])))]
    const calls = await tx.read(...ids.map((id) => ['call', callId(this.runId, id)] as const))
    return new Set(ids.filter((_id, index) => calls[index]))
  }

  private resumeWriters(): void {
    for (const go of this.waitingForRoom.splice(0)) go()
  }

  private superseded(): HoldpointError {
    const error = new HoldpointError(
      'turn_superseded',
      `The turn of run "${this.runId}" no longer streams into this session: a new message came, or it was stopped. Stop writing.`,
      { details: { runId: this.runId } },
    )
    this.controller.abort(error)
    this.close()
    return error
  }
}
