import type { ApprovalScope } from '@holdpoint/core'
import { digestOf } from '../../base/canonical-json.ts'
import { rewriteQuestion } from '../records/question-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { answer, conclude } from '../state/question-steps.ts'
import type { Answered, QuestionRow } from '../state/rows.ts'

/**
 * Records a call that a remembered approval allows as a question that the approval has answered. So the call shows what
 * allowed it, and the history contains what ran. The question is never open: it is in no inbox, and no user is notified.
 */
export function addCovered(
  tx: Transaction,
  row: QuestionRow,
  { scope, coveredBy, answerId }: { scope: ApprovalScope; coveredBy: string; answerId: string },
): void {
  // The approval was remembered for the user of the call, who gave it.
  const by = { userId: row.userId, clientId: '' }
  const digest = digestOf(['covered', coveredBy, answerId])
  const answered: Answered = { answerId, digest, at: tx.now, by, action: 'approve', approvalScope: scope, coveredBy }
  // So that a client that reads one event at a time does not show it as open.
  const request = { ...row.request, coveredBy } as QuestionRow['request']
  const { row: answeredRow, event } = answer({ ...row, request }, answered)
  tx.event(request)
  tx.event(event)
  const value = { outcome: 'approved', remembered: true, respondedBy: by, edited: false, scope }
  rewriteQuestion(tx, conclude(answeredRow, { type: 'complete', value }, tx.now))
}
