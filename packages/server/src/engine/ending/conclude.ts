import { HoldpointError } from '@holdpoint/core'
import { recordable } from '../../base/canonical-json.ts'
import type { Complete, Outcome, Reprompt } from '../api/questions.ts'
import { addQuestion } from '../asking/open-question.ts'
import { checkRequest, requestEvent, reworded, type WireRequest, wireOf } from '../asking/request-event.ts'
import { callRefs, type Entered, enter } from '../calls/claim-call.ts'
import type { Execution } from '../calls/execution.ts'
import { handOver } from '../delivery/outcome-delivery.ts'
import { type Core, questionFacts, reportClosed } from '../kernel/kernel.ts'
import { newInteractionId } from '../records/keys.ts'
import { isLive, putQuestion } from '../records/question-records.ts'
import { putRun } from '../records/run-records.ts'
import type { Known, Tx } from '../records/transaction.ts'
import { close, conclude, defer, shownInput } from '../state/question-steps.ts'
import type { QuestionOutcome, QuestionRow } from '../state/rows.ts'
import { isCancelled, newRun, stopWaitingFor } from '../state/run-steps.ts'

/** What a handler came to: an outcome, or an error of its own. */
export type Handled = Outcome | { failed: true }

export type Concluded =
  /** Recorded, now or by an earlier try; or overtaken by a cancellation: `row` says which. */
  | { type: 'recorded'; row: QuestionRow }
  /** Asked again: this is what to wait for now. */
  | { type: 'reprompted'; row: QuestionRow }
  /** Nobody needs it concluded: its state is not one that has an answer or a timeout to deal with. */
  | { type: 'nothing'; row: QuestionRow }

/**
 * Records what the tool decided about an answer or a timeout: the outcome, the next question, their events and the
 * delivery, all in one transaction, and only under the call's fence.
 */
export function concludeQuestion(
  core: Core,
  execution: Execution,
  id: string,
  handled: Handled,
  detached: boolean,
  known?: Known,
): Promise<Concluded> {
  const work = async (tx: Tx): Promise<Concluded> => {
    const [live, ended, ...rows] = await tx.read(['question', id], ['ended', id], ...callRefs(execution))
    const row = live ?? ended
    if (!row) throw gone(id)
    if (!isLive(row)) return { type: 'recorded', row }
    if (row.status !== 'answered' && row.status !== 'timing_out') return { type: 'nothing', row }
    const entered = enter(core, tx, execution, rows)
    const stopped = stopWaitingFor(entered.run ?? newRun(row.runId), id)
    if ('reprompt' in handled) {
      const next = askAgain(core, tx, row, handled.reprompt)
      end(core, tx, row, { type: 'reprompt', next: next.id })
      addQuestion(tx, execution, { ...entered, run: stopped }, next)
      return { type: 'reprompted', row: next }
    }
    putRun(tx, row.sessionId, entered.storedRun, stopped)
    if ('pending' in handled) {
      return {
        type: 'recorded',
        row: goOnWithout(core, tx, execution, { ...entered, run: stopped }, row, handled, detached),
      }
    }
    const outcome: QuestionOutcome = 'failed' in handled ? { type: 'failed' } : completed(handled)
    return { type: 'recorded', row: end(core, tx, handOver(core, tx, row, outcome, detached), outcome) }
  }
  return core.transact(execution.partition, work, known)
}

/**
 * Records an outcome in the very transaction that settles the question. False, with nothing written, when its call is
 * not this execution's any more, or its run was cancelled: then whoever owns the call deals with the answer.
 */
export function completeIn(
  core: Core,
  tx: Tx,
  execution: Execution,
  rows: Parameters<typeof enter>[3],
  row: QuestionRow,
  handled: Complete,
): QuestionRow | null {
  const [, call, live, idle] = rows
  if (execution.fence === 0 || call?.fence !== execution.fence || isCancelled(live ?? idle)) return null
  const { run, storedRun } = enter(core, tx, execution, rows)
  putRun(tx, row.sessionId, storedRun, stopWaitingFor(run ?? newRun(row.runId), row.id))
  const outcome = completed(handled)
  return end(core, tx, handOver(core, tx, row, outcome, false), outcome)
}

function completed({ complete }: Complete): QuestionOutcome {
  return { type: 'complete', value: recordable('The result of a question', complete) }
}

/** Writes the end of a question that was answered or timed out. */
function end(core: Core, tx: Tx, row: QuestionRow, outcome: QuestionOutcome): QuestionRow {
  if (outcome.type === 'failed' || row.status === 'timing_out') {
    const reason = outcome.type === 'failed' ? 'failed' : 'expired'
    const message = outcome.type === 'failed' ? 'The tool could not go on with this.' : undefined
    const { row: closed, event } = close(row, reason, outcome, tx.now, message)
    putQuestion(tx, closed)
    tx.event(event)
    reportEnd(core, tx, closed)
    return closed
  }
  const concluded = conclude(row, outcome, tx.now)
  putQuestion(tx, concluded)
  reportEnd(core, tx, concluded)
  return concluded
}

function reportEnd(core: Core, tx: Tx, row: QuestionRow): void {
  tx.committed(() => reportClosed(core, row, tx.now))
}

/** The tool goes on, the question stays: itself when it timed out, a successor when its answer led to this. */
function goOnWithout(
  core: Core,
  tx: Tx,
  execution: Execution,
  entered: Entered,
  row: QuestionRow,
  { pending: { message, queued = true } }: Extract<Handled, { pending: unknown }>,
  detached: boolean,
): QuestionRow {
  const outcome: QuestionOutcome = { type: 'pending', message, queued }
  const handed = handOver(core, tx, row, outcome, detached)
  const kept = { ...handed, pending: { message, queued } }
  if (row.status === 'timing_out') {
    const { row: deferred, event } = defer(kept, tx.now)
    putQuestion(tx, deferred)
    tx.event(event)
    return deferred
  }
  const { answer: _answer, response: _response, delivery: _delivery, ...unanswered } = kept
  const next = successor(core, tx, unanswered, wireOf(row.request))
  const { row: deferred, event } = defer(next, tx.now)
  addQuestion(tx, execution, entered, deferred)
  tx.event(event)
  tx.committed(() => core.emit({ type: 'asked', ...questionFacts(deferred, tx.now) }))
  return end(core, tx, handed, outcome)
}

function askAgain(core: Core, tx: Tx, row: QuestionRow, change: Reprompt): QuestionRow {
  if (row.prompts > core.limits.reprompts) {
    throw new HoldpointError(
      'reprompt_limit',
      `The question "${row.key}" was asked again ${core.limits.reprompts} times, and its handler wants to ask once more. Complete it with an error instead, or raise it with createHoldpoint({ limits: { reprompts } }).`,
    )
  }
  if (row.request.type !== 'interaction_request') throw gone(row.id)
  const kept = row.answer?.input && shownInput(row, withoutSecrets(row, row.answer.input))
  const { answer: _answer, response: _response, ...asked } = row
  return successor(core, tx, { ...asked, prompts: row.prompts + 1 }, reworded(row.request, change, kept))
}

/** The next attempt of the same question, under a new interaction id. */
function successor(core: Core, tx: Tx, row: QuestionRow, request: WireRequest): QuestionRow {
  const id = newInteractionId(core.environment, tx.now)
  const { sessionId, runId, toolCallId, toolName } = row
  const attempt = row.attempt + 1
  const event = requestEvent(request, {
    ...{ sessionId, runId, toolCallId, toolName, attempt },
    interactionId: id,
    now: tx.now,
    replaces: row.id,
  })
  checkRequest(event, core.limits)
  const { lookAgainAt: _old, ...rest } = row
  const { timeoutMs } = request
  return {
    ...rest,
    id,
    attempt,
    request: event,
    status: 'open',
    askedAt: tx.now,
    timeoutMs,
    expiresAt: tx.now + timeoutMs,
  }
}

/** Secrets are typed again: what was typed is never sent back. */
function withoutSecrets(row: QuestionRow, input: Record<string, unknown>): Record<string, unknown> {
  const fields = row.request.type === 'interaction_request' ? (row.request.inputSchema?.fields ?? []) : []
  const secret = new Set(fields.filter(({ type }) => type === 'secret').map(({ id }) => id))
  return Object.fromEntries(Object.entries(input).filter(([id]) => !secret.has(id)))
}

function gone(id: string): HoldpointError {
  return new HoldpointError(
    'question_gone',
    `The question "${id}" is not in the store any more: its session was erased while a tool waited for it. Ask again.`,
  )
}
