import type { InputField, InputSchema } from '@holdpoint/core'
import type { FieldErrors } from '@holdpoint/core/internal'
import { askedFields, groupsOf } from '@holdpoint/core/internal/forms'
import type { InteractionRecord } from '../../engine/api/interactions.ts'
import type { PageLanguage } from '../markup/language.ts'
import { drawnOf, STEP } from './names.ts'
import { problemsOf, readInput, sentInput } from './read-form.ts'

type Values = Readonly<Record<string, unknown>>

/** One step of a questionnaire: the fields of one page. */
export interface Step {
  index: number
  total: number
  fields: readonly InputField[]
  /** The asked fields of the earlier steps. */
  before: readonly InputField[]
  isLast: boolean
}

/** The input with the ids of the fields that the step drew. */
export const STEP_FIELDS = 'stepFields'

/** Returns the fields of a question that is asked step by step, or undefined for any other question. */
export function questionnaireOf({ kind, request }: InteractionRecord): InputSchema | undefined {
  if (kind === 'approval' || request.type !== 'interaction_request') return undefined
  return request.presentation === 'questionnaire' ? request.inputSchema : undefined
}

/** Returns a step. `wanted` can be beyond the last one, because other answers lead to fewer steps. */
export function stepAt(schema: InputSchema, values: Values, wanted: number): Step {
  const steps = stepsOf(schema, values)
  const index = Math.min(Math.max(Math.trunc(wanted) || 0, 0), Math.max(steps.length - 1, 0))
  return {
    index,
    total: steps.length,
    fields: steps[index] ?? [],
    before: steps.slice(0, index).flat(),
    isLast: index >= steps.length - 1,
  }
}

/** Returns the index of the first step that asks for one of these fields, or undefined if none does. */
export function stepWith(schema: InputSchema, values: Values, ids: readonly string[]): number | undefined {
  const index = stepsOf(schema, values).findIndex((fields) => fields.some(({ id }) => ids.includes(id)))
  return index < 0 ? undefined : index
}

/**
 * Returns the fields of each step: one group after another, as in the React form. Secrets are asked in the last step,
 * because a page carries earlier answers in hidden inputs and must not carry a secret.
 */
function stepsOf(schema: InputSchema, values: Values): readonly (readonly InputField[])[] {
  const asked = askedFields(schema, values) as readonly InputField[]
  const late = lateFields(schema.fields)
  const steps = groupsOf(asked.filter(({ id }) => !late.has(id))).map(({ fields }) => fields as readonly InputField[])
  if (!asked.some(({ id }) => late.has(id))) return steps
  // A last group with a secret stays one step.
  const closing = groupsOf(asked).at(-1)?.fields ?? []
  const joins = closing.some(({ id }) => late.has(id)) && steps.at(-1)?.some((field) => closing.includes(field))
  const joined = (joins && steps.pop()) || []
  return [...steps, asked.filter((field) => late.has(field.id) || joined.includes(field))]
}

/** Returns the ids of the secrets, and of the fields that are asked depending on a secret. */
function lateFields(fields: readonly InputField[]): ReadonlySet<string> {
  const late = new Set<string>()
  for (const { id, type, when } of fields) if (type === 'secret' || (when && late.has(when.field))) late.add(id)
  return late
}

/** The step to show after a posted one, and the reason if it is the same step. */
interface Walked {
  values: Record<string, unknown>
  step: number
  errors?: FieldErrors
  problem?: string
}

/**
 * Returns the step that follows a posted one, or null if the answer is complete. "Next" validates the posted step only.
 * The engine validates the whole answer at the end, because earlier answers return in inputs that can be changed.
 */
export function walk(
  schema: InputSchema,
  form: URLSearchParams,
  fileErrors: FieldErrors,
  language: PageLanguage,
): Walked | null {
  const values = readInput(schema, form)
  const { index, fields, isLast } = stepAt(schema, values, Number(form.get(STEP)))
  if (form.get('action') === 'back') return { values, step: index - 1 }
  const changed = { values, step: index, problem: language.messages.formChanged }
  if (form.get(STEP_FIELDS) !== drawnOf(fields)) return changed
  const problems = { ...problemsOf(schema, sentInput(schema, form), language), ...fileErrors }
  const here = Object.entries(problems).filter(([id]) => fields.some((field) => field.id === id))
  if (here.length > 0) return { values, step: index, errors: Object.fromEntries(here) }
  if (!isLast) return { values, step: index + 1 }
  // The answers of this step have removed the steps after it. It is shown again with the summary before it is sent.
  return form.get('action') === 'submit' ? null : changed
}
