import { byteLength } from '../../base/environment.ts'
import type { ToolUpdate } from '../api/tool-context.ts'
import { SESSION_ROW } from '../records/keys.ts'
import { iso } from '../state/question-events.ts'
import type { CallKernel } from './call-kernel.ts'
import { claimNow, claimSession } from './claim-call.ts'
import type { Execution } from './execution.ts'
import { untilStored } from './until-stored.ts'

/** Lines and bytes of one event; a burst becomes few of them. */
const BATCH_LINES = 100
const BATCH_BYTES = 256 * 1024
const MAX_LINE = 8_192
/** A tool that awaits `ctx.log` is at most so far ahead of the store. */
const AHEAD_LINES = 500
const AHEAD_BYTES = 1024 * 1024
/** The most lines that a tool which does not await may be ahead. Further lines are counted and not kept. */
const MOST_LINES = 20_000
const MOST_BYTES = 8 * 1024 * 1024

type Entry = { line: string; bytes: number } | { update: ToolUpdate; written: () => void }

/**
 * Writes a tool's progress in order. A caller that awaits is slowed down if the store is slower than the tool. Nothing
 * is polled, and memory is bounded.
 */
export class Progress {
  private readonly kernel: CallKernel
  private readonly execution: Execution
  private waiting: Entry[] = []
  private bytes = 0
  private leftOut = 0
  private work: Promise<void> | undefined
  private waitingForRoom: (() => void)[] = []

  constructor(kernel: CallKernel, execution: Execution) {
    this.kernel = kernel
    this.execution = execution
  }

  /** Resolves at once while there is room, else when there is room again. */
  line(text: string): Promise<void> {
    const line = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text
    const bytes = byteLength(JSON.stringify(line))
    if (this.waiting.length >= MOST_LINES || this.bytes + bytes > MOST_BYTES) this.leftOut++
    else {
      this.sayWhatIsMissing()
      this.push({ line, bytes })
    }
    return this.hasRoom ? DONE : new Promise((resolve) => this.waitingForRoom.push(resolve))
  }

  /** Resolves when all readers can read it. */
  async update(update: ToolUpdate): Promise<void> {
    await new Promise<void>((written) => this.push({ update, written }))
  }

  /** Resolves when nothing waits to be written: a call must not be complete before its last line. */
  async drained(): Promise<void> {
    this.sayWhatIsMissing()
    await this.work?.catch(() => {})
  }

  private get hasRoom(): boolean {
    return this.waiting.length < AHEAD_LINES && this.bytes < AHEAD_BYTES
  }

  private sayWhatIsMissing(): void {
    if (this.leftOut === 0) return
    const line = `… ${this.leftOut} lines were left out here: they came faster than they could be stored. Await ctx.log(…).`
    this.leftOut = 0
    this.push({ line, bytes: line.length })
  }

  private push(entry: Entry): void {
    this.waiting.push(entry)
    if ('line' in entry) this.bytes += entry.bytes
    if (this.work) return
    this.work = this.flush()
    this.kernel.background('writing the progress of a tool', this.work)
  }

  private async flush(): Promise<void> {
    try {
      // Never synchronous, so that lines that are logged together share an event.
      await this.kernel.ready()
      while (this.waiting.length > 0) {
        const batch = this.take()
        await untilStored(this.kernel, this.execution, () => this.write(batch))
        for (const entry of batch) if ('written' in entry) entry.written()
        if (this.hasRoom) this.letGo()
      }
    } catch (error) {
      // The store is closed, so all waiting callers are released.
      for (const entry of this.waiting) if ('written' in entry) entry.written()
      this.waiting = []
      this.bytes = 0
      throw error
    } finally {
      // In the same tick as the last check for waiting entries: later entries start a new write.
      this.work = undefined
      this.letGo()
    }
  }

  private letGo(): void {
    for (const go of this.waitingForRoom.splice(0)) go()
  }

  private take(): Entry[] {
    let count = 0
    let bytes = 0
    for (const entry of this.waiting) {
      const size = 'line' in entry ? entry.bytes : 0
      if (count === BATCH_LINES || (count > 0 && bytes + size > BATCH_BYTES)) break
      bytes += size
      count++
      if ('update' in entry) break
    }
    this.bytes -= bytes
    return this.waiting.splice(0, count)
  }

  private async write(batch: readonly Entry[]): Promise<void> {
    const { kernel, execution } = this
    if (execution.unbegun) await claimNow(kernel, execution)
    await kernel.transact(execution.partition, async (tx) => {
      const [session, call] = await tx.read(['session', SESSION_ROW], ['call', execution.id])
      if (execution.fence > 0 && call?.fence !== execution.fence) return
      // A bare call may show progress before it asks anything, as the first thing of its session.
      claimSession(tx, execution, session)
      const base = updateBase(execution, tx.now)
      const logs = batch.flatMap((entry) => ('line' in entry ? [entry.line] : []))
      if (logs.length > 0) tx.event({ ...base, logs })
      for (const entry of batch) if ('update' in entry) tx.event({ ...base, ...entry.update })
    })
  }
}

/** The fields of each update of a call. */
export function updateBase({ identity, registered }: Execution, now: number) {
  const { sessionId, runId, toolCallId, toolName } = identity
  const named = registered ? {} : { toolName }
  return { ...named, type: 'tool_call_update' as const, timestamp: iso(now), sessionId, runId, toolCallId }
}

const DONE = Promise.resolve()
