import { grantOf, putGrant } from '../consent/grants.ts'
import { deliveryBase, followUp } from '../delivery/outcome-delivery.ts'
import { warnOfUnknownTool } from '../delivery/unregistered-tool.ts'
import { authResultEvent } from '../ending/end-connect.ts'
import { questionFacts, reportClosed, traceContext } from '../kernel/report.ts'
import { randomId } from '../records/keys.ts'
import { putQuestion } from '../records/question-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { answer, answerLate, iso } from '../state/question-steps.ts'
import type { Answered, QuestionRow } from '../state/rows.ts'
import type { WaitingKernel } from '../waiting/waiting-kernel.ts'

/** How long a re-run of a suspended call may take to begin before another node begins it. */
const RESUME_MS = 5_000

/** Makes this answer the one that counts. The question was open when it was read; the commit holds it to that. */
export function settleIn(kernel: WaitingKernel, tx: Transaction, row: QuestionRow, answered: Answered): QuestionRow {
  const next = answerIn(kernel, tx, row, answered)
  putQuestion(tx, next)
  return next
}

/** The same, where the row goes on to its end in the same commit, or else is the caller's to put. */
export function answerIn(kernel: WaitingKernel, tx: Transaction, row: QuestionRow, answered: Answered): QuestionRow {
  const again = {
    inline: undefined,
    gate: undefined,
    suspended: tx.now + RESUME_MS,
    nobody: tx.now + kernel.settings.orphanAfterMs,
  }
  const { row: told, event: response } = answer(row, answered, again[row.waiter])
  const event =
    row.kind === 'connect'
      ? authResultEvent(
          row,
          answered.action === 'submit',
          tx.now,
          answered.action === 'submit' ? undefined : answered.action,
        )
      : response
  const next = { ...told, response: event, ...answeredIn(kernel) }
  tx.event(event)
  grant(kernel, tx, row, answered)
  tx.committed(() => {
    settled(kernel, tx.partition, next)
    if (row.registered && row.waiter === 'nobody' && !kernel.findTool(row.toolName)) warnOfUnknownTool(kernel, row)
  })
  return next
}

/** An answer whose tool continued without it: it may still grant, and leaves as a follow-up. No tool runs on it. */
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
  grant(kernel, tx, row, answered)
  tx.committed(() => settled(kernel, tx.partition, next))
  return next
}

function answeredIn(kernel: WaitingKernel): { answeredIn?: string } {
  const traceparent = traceContext(kernel)
  return traceparent === undefined ? {} : { answeredIn: traceparent }
}

/** Only `approve` remembers by itself. */
function grant(kernel: WaitingKernel, tx: Transaction, row: QuestionRow, answered: Answered): void {
  const given = grantOf(row, answered)
  if (!given) return
  if (given.grant.scope === 'session') {
    putGrant(tx, row.tenant, given.id, given.grant)
    return
  }
  // The user's grants are another partition: it leaves through the outbox.
  const deliveryId = randomId(kernel.environment)
  const base = deliveryBase(row, deliveryId, tx.now)
  tx.put('delivery', deliveryId, { ...base, type: 'grant', grantId: given.id, grant: given.grant }, { due: tx.now })
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

/** Wakes whatever an answer may have been waited for by. Harmless when repeated. */
export function wakeWaiters(kernel: WaitingKernel, partition: string, row: QuestionRow): void {
  kernel.waiters.check(partition, row.id)
  if (row.status === 'answered_late' || row.answer?.approvalScope === 'always') kernel.outbox.kick()
  if (row.waiter === 'suspended' && !row.outcome) kernel.resumeCall(partition, row.call)
}
