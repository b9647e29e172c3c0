import { HoldpointError } from '@holdpoint/core'
import { callId, sessionPartition } from './names.ts'
import type { Progress } from './progress.ts'
import { InteractionRefused } from './refused.ts'
import { Serial } from './serial.ts'

export interface CallIdentity {
  tenant: string
  sessionId: string
  userId: string
  runId: string
  toolCallId: string
  toolName: string
}

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
  /** Told of the question that this execution must stop at, where waiting means ending. */
  onSuspend: ((interactionId: string) => void) | undefined
  /** 0 until the call was claimed. */
  fence = 0
  /** How many of its questions wait. */
  waiting = 0
  /** Effects that are running, by key. */
  readonly effects = new Map<string, Promise<unknown>>()
  /** What it tells while it runs; made when it first tells something. */
  progress: Progress | undefined
  /** A question without a key is open. */
  unkeyed = false
  /** What this execution writes, it writes one after the other: it never races itself for its own call. */
  readonly queue = new Serial()
  private readonly controller = new AbortController()
  private readonly counts = new Map<string, number>()

  constructor(
    identity: CallIdentity,
    options: {
      registered: boolean
      waiter: 'inline' | 'suspended' | 'gate'
      onSuspend?: (interactionId: string) => void
    },
  ) {
    this.identity = identity
    this.partition = sessionPartition(identity.tenant, identity.sessionId)
    this.id = callId(identity.runId, identity.toolCallId)
    this.registered = options.registered
    this.waiter = options.waiter
    this.onSuspend = options.onSuspend
  }

  get name(): string {
    return `${this.partition} ${this.id}`
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Counts how often something was done in this execution, from 1: a re-run in the same order counts the same. */
  count(what: string): number {
    const count = (this.counts.get(what) ?? 0) + 1
    this.counts.set(what, count)
    return count
  }

  /** How often it was counted so far. */
  counted(what: string): number {
    return this.counts.get(what) ?? 0
  }

  /** Somebody else owns the call now. What this execution still tries to write is refused. */
  lose(): HoldpointError {
    const error = ownershipLost(this.identity)
    this.controller.abort(error)
    return error
  }

  cancel(reason?: string): InteractionRefused {
    const error = new InteractionRefused('cancelled', reason === undefined ? {} : { reason })
    this.controller.abort(error)
    return error
  }
}

function ownershipLost({ runId, toolCallId, toolName }: CallIdentity): HoldpointError {
  return new HoldpointError(
    'ownership_lost',
    `This execution of ${toolName} no longer owns its tool call: it was run again, here or in another process, which goes on with it. Stop without further effects.`,
    { details: { runId, toolCallId } },
  )
}
