import type { InputField, Interaction } from '@holdpoint/core'
import { initialFormValues, validateInput } from '@holdpoint/core/forms'
import type { InteractionRequestEvent } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { type Problems, sentences } from '../../field/values/problems.ts'
import { asJson } from '../../readable/as-json.ts'
import { questionOf } from '../../wording/question-text.ts'
import type { ApprovalDraft, EditedArgs } from './approval-context.ts'

/** The fields for editing, where the tool's schema is flat enough to have them. */
export function fieldsForArgs(request: InteractionRequestEvent): readonly InputField[] | undefined {
  return isRecord(request.args) ? request.argsSchema?.fields : undefined
}

export function valuesOfArgs(request: InteractionRequestEvent, args = request.args): Record<string, unknown> {
  const fields = fieldsForArgs(request) ?? []
  return initialFormValues(fields, isRecord(args) ? args : {})
}

/** Returns the initial state of the editor: open with the rejected edit if there is one, otherwise empty. */
export function draftOfRefusedEdit(request: InteractionRequestEvent | undefined): Partial<ApprovalDraft> {
  if (!request?.editable || request.draftArgs === undefined) return {}
  const { draftArgs } = request
  const byField = fieldsForArgs(request) && isRecord(draftArgs)
  return {
    editing: true,
    scope: 'once',
    argsText: byField ? null : asJson(draftArgs),
    argsValues: byField ? valuesOfArgs(request, draftArgs) : null,
  }
}

/** Returns the problems of an edit by field, from the local check or from the server. */
export function problemsOfArgs(interaction: Interaction | undefined, edited: EditedArgs): Problems {
  if (edited.state !== 'edited') return edited.state === 'invalid' ? edited.problems : {}
  const request = interaction && questionOf(interaction)
  return interaction?.problem?.fieldErrors ?? (request?.draftArgs === undefined ? {} : (request.fieldErrors ?? {}))
}

/** Returns the edited arguments to send; undefined if the person restored the original ones. */
export function editedArgs(
  request: InteractionRequestEvent,
  draft: ApprovalDraft,
  messages: Messages,
  locale = 'en',
): EditedArgs {
  const fields = fieldsForArgs(request)
  if (fields && draft.argsValues) {
    const checked = validateInput(fields, draft.argsValues, { localTime: true })
    if (!checked.ok) return { state: 'invalid', problems: sentences(checked.problems, messages, locale) }
    const args = { ...(isRecord(request.args) ? withoutFields(request.args, fields) : {}), ...checked.value }
    return asEdited(args, request)
  }
  if (draft.argsProblems) return { state: 'invalid', problems: sentences(draft.argsProblems, messages, locale) }
  if (draft.argsText === null || draft.argsText === asJson(request.args)) return { state: 'untouched' }
  try {
    return asEdited(JSON.parse(draft.argsText), request)
  } catch {
    return { state: 'invalid', problems: { '': [messages.invalidJson] } }
  }
}

const asEdited = (args: unknown, request: InteractionRequestEvent): EditedArgs =>
  sameJson(args, request.args) ? { state: 'untouched' } : { state: 'edited', args }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Arguments that have no field are kept as they were asked for. */
function withoutFields(args: Record<string, unknown>, fields: readonly InputField[]): Record<string, unknown> {
  const named = new Set(fields.map(({ id }) => id))
  return Object.fromEntries(Object.entries(args).filter(([name]) => !named.has(name)))
}

/** Equal as values, whatever the order of their keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)])
}
