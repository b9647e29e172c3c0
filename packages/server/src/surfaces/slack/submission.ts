import { problemsOf } from '../../answer-page/form/read-form.ts'
import { outcomeText } from '../../answer-page/outcome.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { hashOf } from '../../security/hashes.ts'
import { digestOf } from '../shown.ts'
import type { SlackOptions } from './slack.ts'
import { answering, type PayloadUser } from './slack-user.ts'
import { blockOf, canShowForm, FORM, formModal, formOf, noticeModal, type SlackModal } from './views/modal.ts'
import { questionOf } from './views/question-value.ts'
import { type ModalState, readState } from './views/read-state.ts'

/** The used part of Slack's payload for a submitted modal. */
export interface Submission {
  type: 'view_submission'
  user?: PayloadUser
  view?: { id?: unknown; callback_id?: unknown; private_metadata?: unknown; state?: { values?: ModalState } }
}

/**
 * The response to Slack about the modal. An empty response closes the modal. With errors it stays open and keeps the
 * person's input.
 */
type ModalReply =
  | { response_action: 'errors'; errors: Record<string, string> }
  | { response_action: 'update'; view: SlackModal }

/** Records the answer of a submitted form. A repeated delivery of the same submission repeats the same answer. */
export async function submit(
  holdpoint: Holdpoint,
  options: SlackOptions,
  { user, view }: Submission,
): Promise<ModalReply | undefined> {
  if (view?.callback_id !== FORM) return undefined
  const question = questionOf(view.private_metadata)
  const { language, clientId, allowed } = await answering(holdpoint, options, user, question)
  const { messages } = language
  const inform = (text: string): ModalReply => ({ response_action: 'update', view: noticeModal(text, language) })
  if (!allowed || !question) return inform(messages.notAllowed)

  const { principal, record } = allowed
  const { sessionId, interactionId, shownDigest } = question
  const ended = outcomeText(record, principal, messages)
  const schema = formOf(record)
  if (!schema || !canShowForm(record, language)) return inform(ended ?? messages.notAllowed)
  if (ended === undefined && digestOf(record) !== shownDigest) {
    return { response_action: 'update', view: formModal(record, language, messages.shownDiffers) }
  }
  const input = readState(schema, view.state?.values ?? {})
  const id = await hashOf(JSON.stringify([clientId, view.id, interactionId, input]))
  const outcome = await holdpoint.answer({
    ...{ principal, sessionId, interactionId, answerId: `slack-${id.slice(0, 40)}`, clientId },
    answer: { action: 'submit', shownDigest, input },
  })
  if (outcome.status === 'accepted') return undefined
  // Errors are in the person's language if the surface's own validation finds them, otherwise those of the server.
  const own = problemsOf(schema, input, language)
  const problems = Object.keys(own).length > 0 ? own : (outcome.fieldErrors ?? {})
  const errors = schema.fields.flatMap(({ id: field }, index) =>
    problems[field]?.length ? [[blockOf(index), problems[field].join(' ')]] : [],
  )
  if (outcome.code === 'invalid_input' && errors.length > 0) {
    return { response_action: 'errors', errors: Object.fromEntries(errors) }
  }
  const now = await holdpoint.interactions.get({ tenant: record.tenant, sessionId, interactionId })
  const came = now && outcomeText(now, principal, messages)
  if (came || outcome.code !== 'invalid_input') return inform(came ?? messages.notAccepted)
  return { response_action: 'update', view: formModal(record, language, messages.notAccepted) }
}
