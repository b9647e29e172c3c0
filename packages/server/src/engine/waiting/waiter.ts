import { HoldpointError } from '@holdpoint/core'
import type { Deferred } from '../../base/deferred.ts'
import { errorFacts } from '../../base/logger.ts'
import { InteractionRefused } from '../api/interaction-refused.ts'
import type { ArgsSchema, Complete, Outcome, ResponseInfo } from '../api/questions.ts'
import type { Execution } from '../calls/execution.ts'
import { pendingResult } from '../delivery/outcome-delivery.ts'
import { concludeQuestion, type Handled } from '../ending/conclude.ts'
import { questionFacts } from '../kernel/report.ts'
import { retryUntilStored } from '../kernel/retry-until-stored.ts'
import type { KnownRows } from '../records/transaction.ts'
import { audienceOf } from '../state/question.ts'
import type { Answered, QuestionKind, QuestionRow } from '../state/rows.ts'
import { stopsAt } from './stops-at.ts'
import type { WaitingKernel } from './waiting-kernel.ts'

/** The functions with which a tool handles its question. */
export interface Behavior {
  /**
   * Returns the outcome if it follows from the answer alone, without code of the host and without waiting. It is then
   * recorded in one commit with the answer. Undefined if `onResponse` decides.
   */
  plain?: ((answer: Answered, row: QuestionRow) => Complete | undefined) | undefined
  onResponse(answer: Answered, row: QuestionRow, info: ResponseInfo): Outcome | Promise<Outcome>
  onTimeout?: ((info: ResponseInfo) => Outcome | Promise<Outcome>) | undefined
  onCancel?: (() => void | Promise<void>) | undefined
  /** The schema of changed arguments: an answer that reaches this process is recorded as the tool will get it. */
  argsSchema?: ArgsSchema<unknown> | undefined
}

/** How long a handler that was signalled may take to return. */
const HANDLER_GRACE_MS = 50

/** One promise that waits for one question, through all its prompts. Everything it acts on comes from the store. */
export class Waiter {
  readonly kernel: WaitingKernel
  readonly execution: Execution
  /** The prompt that is open now; a reprompt has another id. */
  interactionId: string
  private attempt: number
  private readonly kind: QuestionKind
  private readonly audience: readonly string[]
  private readonly behavior: Behavior
  private readonly promised: Deferred<{ type: 'value'; value: unknown }>
  private detached = false
  private shown = false
  private handling: AbortController | undefined
  /** The handler that has returned and whose outcome is being recorded. */
  private returned: AbortController | undefined
  private done = false

  constructor(
    kernel: WaitingKernel,
    execution: Execution,
    row: QuestionRow,
    behavior: Behavior,
    promised: Deferred<{ type: 'value'; value: unknown }>,
  ) {
    this.kernel = kernel
    this.execution = execution
    this.interactionId = row.id
    this.attempt = row.attempt
    this.kind = row.kind
    // The row itself, with all that was asked, is the store's.
    const audience = audienceOf(row)
    this.audience = audience.length > 0 ? audience : NOBODY
    this.behavior = behavior
    this.promised = promised
  }

  get argsSchema(): ArgsSchema<unknown> | undefined {
    return this.behavior.argsSchema
  }

  get over(): boolean {
    return this.done
  }

  /** These users look at the session and can answer. */
  show(users: ReadonlySet<string>, now: number): void {
    if (this.shown || this.done) return
    const { tenant, sessionId, userId, runId, toolCallId, toolName } = this.execution.identity
    if (!users.has(userId) && !this.audience.some((user) => users.has(user))) return
    this.shown = true
    const { interactionId, kind, attempt } = this
    const call = { tenant, sessionId, runId, toolCallId, toolName }
    this.kernel.emit({ type: 'shown', at: now, ...call, interactionId, kind, attempt })
  }

  /** The outcome of this answer, if it needs no handler and code still waits for it. */
  plain(answer: Answered, row: QuestionRow): Complete | undefined {
    return this.detached || this.done ? undefined : this.behavior.plain?.(answer, row)
  }

  /** The code that waited went away; the question stays, and so do its handlers. */
  detach(reason: unknown): void {
    this.detached = true
    this.promised.reject(reason)
  }

  /** Looks at the question as it stands now, with what else is known. Calls for one waiter come one at a time. */
  async update(row: QuestionRow | null, fence: number | undefined, known?: KnownRows): Promise<void> {
    if (this.done) return
    if (fence !== undefined && fence !== this.execution.fence) return this.fail(this.execution.lose())
    if (!row) return this.fail(new InteractionRefused('superseded', { interactionId: this.interactionId }))
    if (row.outcome || row.status === 'deferred') return await this.finish(row)
    const plain = row.status === 'answered' && row.answer && this.plain(row.answer, row)
    if (plain) return await this.record(row, plain, known)
    if (row.status === 'answered') return await this.handle(row, () => this.respond(row))
    if (row.status === 'timing_out') return await this.handle(row, () => this.timeOut(row))
  }

  /**
   * Something ended the question while its handler is at work: the handler is signalled, and one that does not return
   * then is not waited for.
   */
  interrupt(): void {
    const { handling } = this
    if (!handling) return
    const ended = new InteractionRefused('cancelled', { interactionId: this.interactionId })
    handling.abort(ended)
    if (this.returned === handling) return
    const giveUp = () => {
      if (this.handling !== handling || this.returned === handling) return
      const why = this.execution.endedBy ?? ended
      if (why instanceof InteractionRefused) void this.cancelled()
      this.fail(why)
    }
    this.kernel.environment.setTimeout(giveUp, HANDLER_GRACE_MS, true)
  }

  get isHandling(): boolean {
    return this.handling !== undefined
  }

  fail(error: unknown): void {
    if (this.done) return
    this.done = true
    this.handling?.abort(error)
    this.promised.reject(error)
  }

  private respond(row: QuestionRow): Outcome | Promise<Outcome> {
    const { answer } = row
    if (!answer)
      throw new HoldpointError('corrupt_question', `The stored question "${row.id}" is answered without an answer.`)
    return this.behavior.onResponse(answer, row, this.info(row))
  }

  private timeOut(row: QuestionRow): Outcome | Promise<Outcome> {
    if (!this.behavior.onTimeout) throw new InteractionRefused('expired', { interactionId: row.id })
    return this.behavior.onTimeout(this.info(row))
  }

  private info(row: QuestionRow): ResponseInfo {
    const own = this.handling?.signal
    const signal = own ? AbortSignal.any([own, this.execution.signal]) : this.execution.signal
    return { idempotencyKey: `${row.id}:${row.status}`, interactionId: row.id, attempt: row.prompts, signal }
  }

  /** No handler takes time, so the known rows are still valid, and there is no code to interrupt. */
  private async record(row: QuestionRow, plain: Complete, known: KnownRows | undefined): Promise<void> {
    this.kernel.waiters.hold(this)
    await this.handle(row, () => plain, known).finally(() => this.kernel.waiters.release(this))
  }

  private async handle(row: QuestionRow, handler: () => Outcome | Promise<Outcome>, known?: KnownRows): Promise<void> {
    this.handling = new AbortController()
    let thrown: { error: unknown } | undefined
    let handled: Handled
    try {
      handled = checked(await handler(), row)
    } catch (error) {
      thrown = { error }
      handled = { failed: true }
    }
    this.returned = this.handling
    if (this.done) {
      this.handling = undefined
      return
    }
    try {
      const concluded = await this.conclude(row, handled, known).catch(async (error: unknown) => {
        // A result that cannot be recorded counts as a failure of the handler.
        if (!isHandlersFault(error)) throw error
        thrown = { error }
        return await this.conclude(row, { failed: true })
      })
      this.handling = undefined
      if (concluded.type === 'reprompted') {
        const { row: next } = concluded
        this.kernel.emit({ type: 'asked', ...questionFacts(next, next.askedAt) })
        this.kernel.scheduler.runWithin('questions', next.timeoutMs)
        this.attempt = next.attempt
        this.shown = false
        this.waitOrStop(next.id)
      } else if (concluded.type === 'recorded') {
        await this.finish(concluded.row, thrown)
      } else this.kernel.waiters.check(this.execution.partition, row.id)
    } catch (error) {
      this.handling = undefined
      this.kernel.log.error('an outcome could not be recorded', { interactionId: row.id, ...errorFacts(error) })
      this.fail(error)
    }
  }

  /** The question is asked again: the same promise waits for the next prompt, or its execution ends there. */
  private waitOrStop(next: string): void {
    if (stopsAt(this.execution, next, (error) => this.promised.reject(error))) this.done = true
    else this.kernel.waiters.move(this, next)
  }

  private conclude(row: QuestionRow, handled: Handled, known?: KnownRows) {
    const { kernel, execution } = this
    return retryUntilStored(kernel, () => concludeQuestion(kernel, execution, row.id, handled, this.detached, known))
  }

  /** The question has ended, in this process or elsewhere. */
  private async finish(row: QuestionRow, thrown?: { error: unknown }): Promise<void> {
    const { outcome } = row
    // Another look already saw that it is asked again.
    if (outcome?.type === 'reprompt') return this.waitOrStop(outcome.next)
    this.done = true
    // Regardless of the later outcome, the tool had continued.
    if (row.pending && outcome?.type !== 'pending') return this.resolveWith(row, pendingResult(row.pending))
    switch (outcome?.type) {
      case 'complete':
        return this.resolveWith(row, outcome.value)
      case 'pending':
        return this.resolveWith(row, pendingResult(outcome))
      case 'refused':
        if (outcome.outcome === 'cancelled') await this.cancelled()
        return this.rejectWith(
          row,
          new InteractionRefused(outcome.outcome, { interactionId: row.id, ...withReason(outcome.reason) }),
        )
      case 'failed':
        return this.rejectWith(row, thrown ? thrown.error : handlerFailed(row))
      default:
        return this.rejectWith(row, new InteractionRefused('superseded', { interactionId: row.id }))
    }
  }

  private async cancelled(): Promise<void> {
    try {
      await this.behavior.onCancel?.()
    } catch (error) {
      this.kernel.log.warn('onCancel failed', { interactionId: this.interactionId, ...errorFacts(error) })
    }
  }

  private resolveWith(row: QuestionRow, value: unknown): void {
    this.promised.resolve({ type: 'value', value })
    this.reportResumed(row)
  }

  private rejectWith(row: QuestionRow, error: unknown): void {
    this.promised.reject(error)
    this.reportResumed(row)
  }

  private reportResumed(row: QuestionRow): void {
    const waitedMs = (row.endedAt ?? row.askedAt) - row.askedAt
    this.kernel.emit({ type: 'resumed', ...questionFacts(row, row.endedAt ?? row.askedAt), waitedMs })
    // A follow-up is not for this promise: it carries an answer that came later.
    if (row.delivery === undefined || row.outcome?.type === 'follow_up') return
    if (this.detached) this.kernel.outbox.runSoon()
    else this.kernel.outbox.acknowledge(this.execution.partition, row.delivery)
  }
}

const NOBODY: readonly string[] = []

const withReason = (reason: string | undefined) => (reason === undefined ? {} : { reason })

function isHandlersFault(error: unknown): boolean {
  const codes = [
    'not_recordable',
    'reprompt_limit',
    'prompt_too_large',
    'too_many_fields',
    'request_too_large',
    'invalid_request',
    'invalid_fields',
  ]
  return error instanceof HoldpointError && codes.includes(error.code)
}

function handlerFailed(row: QuestionRow): HoldpointError {
  return new HoldpointError(
    'handler_failed',
    `The handler of the question "${row.key}" of ${row.toolName} threw when its answer came. The answer is consumed; ask again under another key.`,
    { details: { interactionId: row.id } },
  )
}

/** In JavaScript a handler may return anything. Without this check the tool would continue without a value. */
function checked(outcome: Outcome, row: QuestionRow): Outcome {
  const kinds = typeof outcome === 'object' && outcome ? Object.keys(outcome) : []
  if (kinds.length === 1 && ['complete', 'reprompt', 'pending'].includes(kinds[0] ?? '')) return outcome
  throw new HoldpointError(
    'invalid_outcome',
    `The handler of the question "${row.key}" of ${row.toolName} must return { complete }, { reprompt } or { pending }, and returned ${kinds.length > 0 ? `{ ${kinds.join(', ')} }` : outcome === null ? 'null' : typeof outcome}. The answer is consumed; ask again under another key.`,
    { details: { interactionId: row.id } },
  )
}
