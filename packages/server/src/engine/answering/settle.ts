import { putRemembered, rememberedOf } from '../consent/remembered.ts'
import { deliveryBase, followUp } from '../delivery/outcome-delivery.ts'
import { warnOfUnknownTool } from '../delivery/unregistered-tool.ts'
import { questionFacts, reportClosed, traceContext } from '../kernel/report.ts'
import { randomId } from '../records/keys.ts'
import { putQuestion } from '../records/question-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { iso } from '../state/question-events.ts'
import { answer, answerLate } from '../state/question-steps.ts'
import type { Answered, QuestionRow } from '../state/rows.ts'
import type { WaitingKernel } from '../waiting/waiting-kernel.ts'

/** How long a re-run of a suspended call may take to begin before another node begins it. */
const RESUME_MS = 5_000

/**
 * Records this answer as the winner. The question was open when it was read, and the commit fails if it changed since.
 */
export function settleIn(kernel: WaitingKernel, tx: Transaction, row: QuestionRow, answered: Answered): QuestionRow {
  const next = answerIn(kernel, tx, row, answered)
  putQuestion(tx, next)
  return next
}

/** Like `answer`, for a row that ends in the same commit or that the caller writes. */
export function answerIn(kernel: WaitingKernel, tx: Transaction, row: QuestionRow, answered: Answered): QuestionRow {
  const again = {
    inline: undefined,
    gate: undefined,
    suspended: tx.now + RESUME_MS,
    none: tx.now + kernel.settings.orphanAfterMs,
  }
  const { row: answeredRow, event } = answer(row, answered, again[row.waiter])
  const next = { ...answeredRow, ...answeredIn(kernel) }
  tx.event(event)
  remember(kernel, tx, row, answered)
  tx.committed(() => {
    settled(kernel, tx.partition, next)
    if (row.registered && row.waiter === 'none' && !kernel.findTool(row.toolName)) warnOfUnknownTool(kernel, row)
  })
  return next
}

/**
 * Records an answer whose tool has continued without it. The answer is delivered as a follow-up and runs no tool; its
 * approval may be remembered.
 */
export function settleLateIn(
  kernel: WaitingKernel,
  tx: Transaction,
  row: QuestionRow,
  answered: Answered,
): QuestionRow {
  const deliveryId = randomId(kernel.environment)
  const { row: late, event } = answerLate(row, answered, deliveryId)
  const next = { ...late, ...answeredIn(kernel) }
  const content = followUp(next, answered, 'late_answer')
  putQuestion(tx, next)
  tx.event(event)
  tx.event({
    type: 'user_message',
    timestamp: iso(tx.now),
    sessionId: row.sessionId,
    runId: row.runId,
    text: content.message,
    interactionId: row.id,
  })
  tx.put(
    'delivery',
    deliveryId,
    { ...deliveryBase(row, deliveryId, tx.now), ...content, type: 'follow_up' },
    { due: tx.now },
  )
  remember(kernel, tx, row, answered)
  tx.committed(() => settled(kernel, tx.partition, next))
  return next
}

function answeredIn(kernel: WaitingKernel): { answeredIn?: string } {
  const traceparent = traceContext(kernel)
  return traceparent === undefined ? {} : { answeredIn: traceparent }
}

/** Only `approve` remembers an approval without code of the host. */
function remember(kernel: WaitingKernel, tx: Transaction, row: QuestionRow, answered: Answered): void {
  const given = rememberedOf(row, answered)
  if (!given) return
  if (given.remembered.scope === 'session') putRemembered(tx, row.tenant, given.id, given.remembered)
  // The user's remembered approvals and the questions of other sessions are in other partitions, so a delivery carries
  // the approval there.
  const deliveryId = randomId(kernel.environment)
  const base = deliveryBase(row, deliveryId, tx.now)
  tx.put(
    'delivery',
    deliveryId,
    { ...base, type: 'remembered_approval', rememberedId: given.id, remembered: given.remembered },
    { due: tx.now },
  )
}

function settled(kernel: WaitingKernel, partition: string, row: QuestionRow): void {
  const at = row.answer?.at ?? row.askedAt
  const late = row.status === 'answered_late'
  kernel.emit({
    type: 'answered',
    ...questionFacts(row, at),
    action: row.answer?.action ?? '',
    waitedMs: at - row.askedAt,
    late,
  })
  if (late) reportClosed(kernel, row, at)
  wakeWaiters(kernel, partition, row)
  if (row.lookAgainAt !== undefined) kernel.scheduler.runWithin('questions', row.lookAgainAt - at)
}

/** The approval is remembered, and the delivery that applies it is due. */
const wider = (answer: Answered | undefined) => answer?.approvalScope !== undefined && answer.approvalScope !== 'once'

/** Wakes everything that may wait for an answer: waiters, suspended calls and the outbox. Can be repeated. */
export function wakeWaiters(kernel: WaitingKernel, partition: string, row: QuestionRow): void {
  kernel.waiters.check(partition, row.id)
  if (row.status === 'answered_late' || wider(row.answer)) kernel.outbox.runSoon()
  if (row.waiter === 'suspended' && !row.outcome) kernel.resumeCall(partition, row.call)
}
