import type { AnswerOptions, AnswerOutcome, InteractionRecord } from '../engine/api/interactions.ts'
import type { Holdpoint } from '../holdpoint.ts'
import { sentInput } from './form/read-form.ts'
import type { Viewer } from './viewer.ts'

type Action = AnswerOptions['answer']['action']
const ACTIONS: readonly Action[] = ['approve', 'deny', 'submit', 'decline']

/** Returns the answer of a posted form, or null if the form contains no action that the page offers. */
export function answerOf({ request }: InteractionRecord, form: URLSearchParams): AnswerOptions['answer'] | null {
  const action = ACTIONS.find((one) => one === form.get('action'))
  if (!action) return null
  const reason = form.get('reason')?.trim()
  const withReason = reason ? { reason } : {}
  const shown = { shownDigest: form.get('shownDigest') ?? '' }
  const schema = request.type === 'interaction_request' ? request.inputSchema : undefined
  if (action === 'approve') {
    const scope = form.get('scope')
    const approvalScope = scope ? { approvalScope: scope as NonNullable<AnswerOptions['answer']['approvalScope']> } : {}
    return { action, ...shown, ...approvalScope, ...withReason }
  }
  if (action === 'submit') return { action, ...shown, ...(schema && { input: sentInput(schema, form) }) }
  return { action, ...withReason }
}

/**
 * Records the answer. `answerId` belongs to the rendered page, so a second click or a reload repeats the same answer.
 */
export function postAnswer(
  holdpoint: Holdpoint,
  { principal, record, via }: Viewer,
  answerId: string,
  answer: AnswerOptions['answer'],
): Promise<AnswerOutcome> {
  const { sessionId, interactionId } = record
  const clientId = via === 'link' ? 'answer-link' : 'answer-page'
  return holdpoint.answer({ principal, sessionId, interactionId, answerId, clientId, answer })
}
