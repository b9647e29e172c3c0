import type { ApprovalResponse, InputResponse } from '../api/questions.ts'
import type { Answered, QuestionRow } from '../state/rows.ts'

/** Returns the answer in the form that the handler of a tool receives. */
export function responseOf(
  type: 'approval' | 'input',
  answer: Answered,
  row: QuestionRow,
): ApprovalResponse | InputResponse {
  const { action, reason, by: respondedBy, approvalScope, diffDecisions } = answer
  const base = { respondedBy, ...(reason !== undefined && { reason }) }
  if (type === 'approval') {
    const asked = row.request.type === 'interaction_request' ? row.request.args : undefined
    const edited = answer.args !== undefined
    const args = edited ? answer.args : asked
    return {
      ...base,
      action,
      edited,
      ...(action === 'approve' && { approvalScope: approvalScope ?? 'once' }),
      ...(args !== undefined && { args }),
      ...(diffDecisions && { diffDecisions }),
    } as ApprovalResponse
  }
  return (action === 'submit' ? { ...base, action, input: answer.input ?? {} } : { ...base, action }) as InputResponse
}
