import { shownInput } from '../state/question-events.ts'
import type { Answered, QuestionRow } from '../state/rows.ts'

/**
 * Returns an answer as a sentence for the model, for an answer that arrives outside of its tool call. The person's
 * input is quoted as JSON, so that it reads as data; secrets are left out.
 */
export function answerAsText(row: QuestionRow, answer: Answered): string {
  const prompt = row.request.type === 'interaction_request' ? row.request.prompt : row.request.reason
  const question = prompt ? `the question ${JSON.stringify(prompt)}` : 'a question'
  const parts = [`The user answered ${question} of the tool ${row.toolName}: ${verbs[answer.action]}.`]
  if (answer.input) parts.push(`Input: ${JSON.stringify(shownInput(row, answer.input))}.`)
  if (answer.args !== undefined) parts.push(`Changed arguments: ${JSON.stringify(answer.args)}.`)
  if (answer.reason) parts.push(`Reason: ${JSON.stringify(answer.reason)}.`)
  return parts.join(' ')
}

const verbs: Record<Answered['action'], string> = {
  approve: 'approved',
  deny: 'denied',
  submit: 'submitted',
  decline: 'declined',
  cancel: 'cancelled',
}
