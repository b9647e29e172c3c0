import { HoldpointError } from '@holdpoint/core'
import type { AuthNeededEvent, InteractionRequestEvent } from '@holdpoint/core/internal'

import { InteractionRefused } from '../api/interaction-refused.ts'
import type { Complete } from '../api/questions.ts'
import type { CallKernel } from '../calls/call-kernel.ts'
import { callRefs, claimCall, type Entered, madeSession, putCall } from '../calls/claim-call.ts'
import type { Execution } from '../calls/execution.ts'
import { type StagedStep, stagedRefs, stagedSteps, writeStaged } from '../calls/staged-steps.ts'
import { type Remembered, rememberedRefs, takeRemembered } from '../consent/remembered.ts'
import { reportClosed, traceContext } from '../kernel/report.ts'
import { newInteractionId, randomId } from '../records/keys.ts'
import { putQuestion, readQuestion } from '../records/question-records.ts'
import { putRun } from '../records/run-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { judgeAsk } from '../state/judge-ask.ts'
import { close } from '../state/question-steps.ts'
import type { JournalRow, QuestionKind, QuestionRow } from '../state/rows.ts'
import { newRun, stopWaitingFor, waitFor } from '../state/run-steps.ts'
import { addCovered } from './add-covered.ts'
import { checkQuota } from './question-limits.ts'
import { seenAtGate } from './seen-at-gate.ts'

export interface Asking {
  interactionId: string
  attempt: number
  now: number
  replaces?: string
}

/** A question of a tool, of any kind. */
export interface OpenRequest {
  key: string
  kind: QuestionKind
  digest: string
  timeoutMs: number
  shortcut: boolean
  onTimeout: boolean
  /** Creates the event that asks, once its id and time are known. Throws if the question is invalid. */
  event(asking: Asking): InteractionRequestEvent | AuthNeededEvent
  /** Look for an approval given earlier, under this canonical key. */
  rememberedKey?: string
  remote?: string
  /**
   * Records the outcome of a question that was answered before it is asked again, in the transaction that finds it. Null
   * if its waiter has to do so.
   */
  conclude?: ((tx: Transaction, entered: Entered, row: QuestionRow) => QuestionRow | null) | undefined
  /** The outcome of such a question, if it follows from the answer alone. */
  plain?: ((row: QuestionRow) => Complete | undefined) | undefined
  connected?: string[]
  scopes?: Record<string, string[]>
}

export type Opened =
  /** The question is open or answered: a new one, or one of an earlier execution. */
  | { type: 'question'; row: QuestionRow; asked: boolean }
  /** A gate found its value, and has written nothing. */
  | { type: 'settled'; value: unknown }
  /** An earlier approval covers it, so the user is not asked. A question with its answer records this. */
  | { type: 'remembered'; remembered: Remembered }

/**
 * Opens a question under its identity, or finds the one that is already there: one transaction with its event, the
 * call's claim and the run's status.
 */
export async function openQuestion(
  kernel: CallKernel,
  execution: Execution,
  ask: OpenRequest,
  opening: (row: QuestionRow) => void = () => {},
): Promise<Opened> {
  await kernel.heartbeat.alive()
  const steps = await stagedSteps(execution)
  // Questions of one session are opened one at a time, so that many at once cannot exceed its limit.
  const opened = await kernel.serialQueue.run(`open ${execution.partition}`, () =>
    kernel.transact(execution.partition, (tx) => openIn(kernel, tx, execution, { ...ask, steps }, opening)),
  )
  if (opened.type === 'question') kernel.scheduler.runWithin('questions', opened.row.timeoutMs)
  return opened
}

async function openIn(
  kernel: CallKernel,
  tx: Transaction,
  execution: Execution,
  ask: OpenRequest & { steps: readonly StagedStep[] },
  opening: (row: QuestionRow) => void,
): Promise<Opened> {
  const staged = stagedRefs(execution, ask.steps)
  const approvals = ask.rememberedKey === undefined ? [] : rememberedRefs(execution, ask.rememberedKey, ask.key)
  const [session, called, live, idle, ...found] = await tx.read(...callRefs(execution), ...staged, ...approvals)
  const entry = [session, called, live, idle] as const
  const seen = await seenAtGate(tx, execution, ask, entry)
  if (seen) return seen
  if (!session) tx.committed(() => madeSession(kernel, execution))
  const entered = claimCall(kernel, tx, execution, entry)
  if (entered.call.status === 'finished' && execution.registered) throw asksTooLate(execution.identity.toolName)
  writeStaged(kernel, tx, execution, ask.steps, found.slice(0, staged.length) as (JournalRow | null)[])
  const known = entered.call.keys[ask.key]
  const before = known ? await readQuestion(tx, known.interactionId) : null
  const verdict = judgeAsk(known, before, ask.digest)
  if (verdict.type === 'attach') {
    const concluded = ask.conclude?.(tx, entered, verdict.row)
    return { type: 'question', row: concluded ?? attach(kernel, tx, execution, verdict.row), asked: false }
  }

  if (verdict.type === 'supersede') supersede(kernel, tx, entered, verdict.row)
  const remembered = ask.rememberedKey === undefined ? null : takeRemembered(tx, approvals, found.slice(staged.length))
  if (remembered) {
    const { coveredBy, scope } = remembered
    if (coveredBy !== undefined) {
      const row = newQuestion(kernel, tx, execution, ask, verdict.attempt, before?.id)
      addCovered(tx, row, { scope, coveredBy, answerId: randomId(kernel.environment) })
    }
    if (entered.run && entered.run !== entered.storedRun)
      putRun(tx, execution.identity.sessionId, entered.storedRun, entered.run)
    return { type: 'remembered', remembered }
  }
  if (entered.run?.overtaken) throw new InteractionRefused('superseded', { reason: 'declined' })
  // A session that this commit creates has no questions: the commit fails if it exists by then.
  if (session || ask.remote !== undefined) await checkQuota(kernel, tx, ask)
  const row = newQuestion(kernel, tx, execution, ask, verdict.attempt, before?.id)
  const asked = addQuestion(tx, execution, entered, row)
  tx.committed(() => kernel.questionRoom.use(tx.partition, tx.sizeOf('question', row.id)))
  opening(asked)
  return { type: 'question', row: asked, asked: true }
}

/** Writes a new question with its event, its call and its run. Returns the written row. */
export function addQuestion(tx: Transaction, execution: Execution, entered: Entered, row: QuestionRow): QuestionRow {
  const { call, run, storedRun } = entered
  const keys = { ...call.keys, [row.key]: { interactionId: row.id, attempt: row.attempt, digest: row.digest } }
  const written = putQuestion(tx, row)
  putCall(tx, execution.id, { ...call, keys })
  tx.event(row.request)
  // The run is written even if its status stays, so that a concurrent cancellation of the run conflicts with this
  // commit.
  if (row.status === 'open') {
    putRun(tx, row.sessionId, storedRun, waitFor(run ?? newRun(row.runId), row.id, row.kind))
  }
  return written
}

function newQuestion(
  kernel: CallKernel,
  tx: Transaction,
  execution: Execution,
  ask: OpenRequest,
  attempt: number,
  replaces: string | undefined,
): QuestionRow {
  const id = newInteractionId(kernel.environment, tx.now)
  const traceparent = traceContext(kernel)
  return {
    id,
    ...execution.identity,
    call: execution.id,
    key: ask.key,
    attempt,
    prompts: 1,
    digest: ask.digest,
    kind: ask.kind,
    status: 'open',
    waiter: execution.waiter,
    ...(execution.waiter === 'inline' && { owner: kernel.incarnation }),
    shortcut: ask.shortcut,
    registered: execution.registered,
    onTimeout: ask.onTimeout,
    request: ask.event({ interactionId: id, attempt, now: tx.now, ...(replaces !== undefined && { replaces }) }),
    askedAt: tx.now,
    timeoutMs: ask.timeoutMs,
    expiresAt: tx.now + ask.timeoutMs,
    ...(ask.rememberedKey !== undefined && { rememberedKey: ask.rememberedKey }),
    ...(ask.remote !== undefined && { remote: ask.remote }),
    ...(ask.connected && { connected: ask.connected }),
    ...(ask.scopes && { scopes: ask.scopes }),
    ...(execution.wake !== undefined && { wake: execution.wake }),
    ...(traceparent !== undefined && { traceparent }),
  }
}

/** This execution waits for it from now on. */
function attach(kernel: CallKernel, tx: Transaction, execution: Execution, row: QuestionRow): QuestionRow {
  if (row.outcome || row.status === 'deferred') return row
  const { lookAgainAt: _notTaken, owner: _old, ...rest } = row
  const owner = execution.waiter === 'inline' ? { owner: kernel.incarnation } : {}
  const lookAgainAt = row.status === 'timing_out' ? { lookAgainAt: tx.now + kernel.settings.leaseMs } : {}
  const wake = execution.wake === undefined ? {} : { wake: execution.wake }
  const next = { ...rest, waiter: execution.waiter, ...owner, ...lookAgainAt, ...wake }
  putQuestion(tx, next)
  return next
}

function supersede(kernel: CallKernel, tx: Transaction, entered: Entered, row: QuestionRow): void {
  const { row: closed, event } = close(row, 'superseded', { type: 'refused', outcome: 'superseded' }, tx.now)
  putQuestion(tx, closed)
  tx.event(event)
  tx.committed(() => reportClosed(kernel, closed, tx.now))
  // The later steps of this transaction start from the run without this wait.
  if (entered.run) entered.run = stopWaitingFor(entered.run, row.id)
}

function asksTooLate(toolName: string): HoldpointError {
  return new HoldpointError(
    'call_finished',
    `The tool "${toolName}" asks after it has returned, so its answer would have no effect. Is an await missing in front of ctx.approve, ask or requestInteraction?`,
  )
}
