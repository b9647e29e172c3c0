import { HoldpointError } from '@holdpoint/core'
import { assertIds } from '../../base/assert-ids.ts'
import type { Json } from '../../base/canonical-json.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import { InteractionRefused } from '../api/interaction-refused.ts'
import { callId, sessionPartition } from '../records/keys.ts'
import type { KnownRows, Transaction } from '../records/transaction.ts'
import type { CallRow } from '../state/rows.ts'
import type { Progress } from './progress.ts'
import type { StagedStep } from './staged-steps.ts'
import { checkedWake } from './wake.ts'

export interface CallIdentity {
  tenant: string
  sessionId: string
  userId: string
  runId: string
  toolCallId: string
  toolName: string
}

/** How long rows that this process wrote are worth a try instead of being read. */
const STANDING_MS = 250

/**
 * One execution of one tool call in this process. The same call may be executed again, here or elsewhere; only the
 * latest execution's fence counts.
 */
export class Execution {
  readonly identity: CallIdentity
  readonly partition: string
  readonly id: string
  readonly registered: boolean
  readonly waiter: 'inline' | 'suspended' | 'gate'
  /** Stored with each question, and passed to `onSettled`. */
  readonly wake: Json | undefined
  /** The digest of the input that the questions of a gate are bound to. */
  readonly gatedInput: string | undefined
  /** Called with the question at which this execution must stop, if waiting means ending. */
  onSuspend: ((interactionId: string) => void) | undefined
  /**
   * Begins the call in the commit that claims it. Set while code runs that has no effects of its own, so that the call need
   * not be claimed before it; its first write does.
   */
  begin: ((tx: Transaction, call: CallRow, before: CallRow | null) => CallRow) | undefined
  /** 0 until the call was claimed. */
  fence = 0
  /** When it claimed its call, by this process's clock. */
  claimedAt: number | undefined
  /** The number of its questions that have a waiter. */
  waiting = 0
  /** The progress that it reports while it runs; created at the first report. */
  progress: Progress | undefined
  /** Steps that its next commit writes. */
  staged: readonly StagedStep[] | undefined
  /** When it created its session, by this process's clock. */
  madeSessionAt: number | undefined
  /** A question without a key is open. */
  unkeyed = false
  /** Serializes the writes of this execution, so that it never races itself for its own call. */
  readonly queue = new SerialQueue()
  /** The rows after the commit of its latest answer, valid until another write to its call or run. */
  latestRows: { known: KnownRows; at: number } | undefined
  private controller: AbortController | undefined
  private ended: HoldpointError | undefined
  private running: Map<string, Promise<unknown>> | undefined
  /** The first counted key, as long as it is the only one. */
  private first: string | undefined
  private counts: Map<string, number> | undefined

  constructor(
    identity: CallIdentity,
    options: {
      registered: boolean
      waiter: 'inline' | 'suspended' | 'gate'
      onSuspend?: (interactionId: string) => void
      wake?: Json | undefined
      gatedInput?: string | undefined
    },
  ) {
    const { runId, toolCallId, toolName } = identity
    assertIds('A tool call', { runId, toolCallId, toolName })
    this.identity = identity
    this.partition = sessionPartition(identity.tenant, identity.sessionId)
    this.id = callId(identity.runId, identity.toolCallId)
    this.registered = options.registered
    this.waiter = options.waiter
    this.wake = checkedWake(options.wake)
    this.gatedInput = options.gatedInput
    this.onSuspend = options.onSuspend
  }

  /** A tool runner runs it, and reports its end. A bare call and a gate never report theirs. */
  get hasEnd(): boolean {
    return this.registered && this.waiter !== 'gate'
  }

  get isIdle(): boolean {
    return this.waiting === 0 && (this.running?.size ?? 0) === 0
  }

  get name(): string {
    return `${this.partition} ${this.id}`
  }

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController()
      if (this.ended) this.controller.abort(this.ended)
    }
    return this.controller.signal
  }

  /** Effects that are running, by key. */
  get effects(): Map<string, Promise<unknown>> {
    this.running ??= new Map()
    return this.running
  }

  /** True until the first write of an execution that begins its call with it. */
  get unbegun(): boolean {
    return this.begin !== undefined && this.fence === 0
  }

  /** Counts how often something was done in this execution, from 1: a re-run in the same order counts the same. */
  count(what: string): number {
    if (!this.counts && this.first === undefined) {
      this.first = what
      return 1
    }
    const count = this.counted(what) + 1
    this.counts ??= new Map([[this.first as string, 1]])
    this.counts.set(what, count)
    return count
  }

  /** How often it was counted so far. */
  counted(what: string): number {
    return this.counts?.get(what) ?? (this.first === what ? 1 : 0)
  }

  /** Returns the known rows with the current time of the store's clock. They can be used once. */
  takeLatestRows(now: number): KnownRows | undefined {
    const { latestRows } = this
    this.latestRows = undefined
    if (!latestRows || now - latestRows.at > STANDING_MS) return undefined
    return { ...latestRows.known, now: latestRows.known.now + Math.floor(now - latestRows.at) }
  }

  /** Another execution owns the call now. Further writes of this one are rejected. */
  lose(): HoldpointError {
    return this.end(ownershipLost(this.identity))
  }

  cancel(reason?: string): InteractionRefused {
    return this.end(new InteractionRefused('cancelled', reason === undefined ? {} : { reason }))
  }

  /** Why it ended from outside; undefined while it may continue. */
  get endedBy(): HoldpointError | undefined {
    return this.ended
  }

  private end<E extends HoldpointError>(error: E): E {
    this.ended ??= error
    this.controller?.abort(this.ended)
    return error
  }
}

function ownershipLost({ runId, toolCallId, toolName }: CallIdentity): HoldpointError {
  return new HoldpointError(
    'ownership_lost',
    `This execution of ${toolName} no longer owns its tool call, because the call was run again, here or in another process, and continues there. Stop without further effects.`,
    { details: { runId, toolCallId } },
  )
}
