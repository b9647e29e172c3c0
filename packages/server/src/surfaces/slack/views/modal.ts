import type { InputField, InputSchema } from '@holdpoint/core'
import { escapeInvisible } from '@holdpoint/core/internal'
import { startValues } from '../../../answer-page/form/form-fields.ts'
import type { InteractionRecord } from '../../../engine/api/interactions.ts'
import type { MessageLanguage } from '../../message-language.ts'
import { cut, detailsOf, lengthOf, promptOf } from '../../shown.ts'
import { elementOf, isSlackField, labelOf } from './elements.ts'
import { metadataOf } from './question-value.ts'
import { LONGEST_TEXT, plain, section } from './text.ts'

/**
 * The maximum number of fields. Slack allows 100 blocks, and some are needed for the prompt, the facts and the errors.
 */
const MOST_FIELDS = 45
const LONGEST_TITLE = 24

/** A modal in Slack's format. */
export interface SlackModal {
  type: 'modal'
  title: object
  blocks: object[]
  submit?: object
  callback_id?: string
  private_metadata?: string
}

/** The id of the modal whose submission is an answer. */
export const FORM = 'holdpoint.form'

/** Returns the id of the block of a field. Slack assigns errors to fields by it. */
export const blockOf = (index: number) => `field-${index}`

/** Returns the form of an interaction that is answered only by a form, otherwise undefined. */
export function formOf({ kind, request }: InteractionRecord): InputSchema | undefined {
  return kind === 'input' && request.type === 'interaction_request' ? request.inputSchema : undefined
}

/**
 * Returns whether a modal can show the complete form. A form with secrets, files or a high risk is answered on the
 * page.
 */
export function canShowForm(interaction: InteractionRecord, language: MessageLanguage): boolean {
  const schema = formOf(interaction)
  const { request } = interaction
  if (!schema || request.type !== 'interaction_request') return false
  if ((request.risk !== undefined && request.risk !== 'low') || request.diff?.length) return false
  if (schema.fields.length > MOST_FIELDS || metadataOf(interaction).length > LONGEST_TEXT) return false
  const texts = [request.prompt ?? '', detailsOf(interaction, language), request.error ?? '']
  if (texts.some((text) => lengthOf(escapeInvisible(text)) > LONGEST_TEXT)) return false
  const values = startValues(schema, request.initialValues)
  return schema.fields.every((field) => isSlackField(field, values[field.id]))
}

/** An unticked box is an answer, and Slack refuses it in a field that must be filled. */
const mustBeFilled = (field: InputField) =>
  field.required === true && (field.type !== 'checkbox' || field.const === true)

/** Returns the modal with the form and the initial values of the question. */
export function formModal(interaction: InteractionRecord, language: MessageLanguage, problem?: string): SlackModal {
  const { messages } = language
  const schema = formOf(interaction)
  const { request } = interaction
  if (!schema || request.type !== 'interaction_request') throw new Error('Only a form has a modal.')
  const { labels, initialValues, fieldErrors = {}, error } = request
  const values = startValues(schema, initialValues)
  const details = detailsOf(interaction, language)
  const fields = schema.fields.flatMap((field, index) => {
    const wrong = fieldErrors[field.id] ?? []
    const input = {
      ...{ type: 'input', block_id: blockOf(index), label: plain(labelOf(field)) },
      element: elementOf(field, values[field.id], messages),
      optional: !mustBeFilled(field),
      ...(field.description && { hint: plain(field.description) }),
    }
    return wrong.length > 0 ? [input, section(`⚠ ${wrong.join(' ')}`)] : [input]
  })
  const said = problem ?? error
  return {
    type: 'modal',
    callback_id: FORM,
    private_metadata: metadataOf(interaction),
    title: plain(cut(escapeInvisible(labels?.title ?? messages.inputTitle), LONGEST_TITLE)),
    submit: plain(cut(escapeInvisible(labels?.submit ?? messages.submit), LONGEST_TITLE)),
    blocks: [
      ...(said ? [section(`⚠ ${said}`)] : []),
      section(promptOf(interaction, messages)),
      ...(details ? [section(details)] : []),
      ...fields,
    ],
  }
}

/** Returns a modal that only shows a text. */
export const noticeModal = (text: string, { messages }: MessageLanguage): SlackModal => ({
  ...{ type: 'modal', title: plain(cut(escapeInvisible(messages.inputTitle), LONGEST_TITLE)), blocks: [section(text)] },
})
