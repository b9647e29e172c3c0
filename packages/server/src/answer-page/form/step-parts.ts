import type { InputField, InputSchema } from '@holdpoint/core'
import { validateInput } from '@holdpoint/core/forms'
import { type DateRange, type FieldOption, say } from '@holdpoint/core/internal'
import { type Html, html, outside } from '../markup/html.ts'
import type { PageLanguage } from '../markup/language.ts'
import { dateText, rangeText } from './dates.ts'
import { carriedFile, filesOf, fileText } from './files.ts'
import { drawnOf, fieldName, STEP } from './names.ts'
import { STEP_FIELDS, type Step } from './steps.ts'

/** Returns "Step 2 of 3", or nothing if there is one step. */
export const stepNumber = ({ index, total }: Step, { messages }: PageLanguage): string =>
  total > 1 ? say(messages.step, { index: index + 1, total }) : ''

/** Returns the number of the step, and at the last step the answers of all earlier steps, because all are sent. */
export function stepHead(step: Step, schema: InputSchema, values: Record<string, unknown>, language: PageLanguage) {
  const { index, total, before, isLast } = step
  if (total < 2) return html``
  const recorded = isLast && before.length > 0 ? recordedOf(schema, before, values) : undefined
  return html`<p class="step"><progress value="${index + 1}" max="${total}" aria-hidden="true"></progress><span>${stepNumber(step, language)}</span></p>${
    recorded &&
    html`<h2>${language.messages.yourAnswers}</h2><dl>${before.map(
      (field) => html`<dt>${outside(field.label)}</dt><dd>${answerOf(field, recorded[field.id], language)}</dd>`,
    )}</dl>`
  }`
}

/** Returns the values as the engine will record them: with defaults, and without spaces that do not count. */
function recordedOf(schema: InputSchema, before: readonly InputField[], values: Record<string, unknown>) {
  const given = Object.fromEntries(before.map(({ id }) => [id, values[id]]))
  const checked = validateInput({ ...schema, fields: [...before] }, given)
  return (checked.ok ? checked.value : given) as Record<string, unknown>
}

function answerOf(field: InputField, value: unknown, { messages, locale }: PageLanguage): Html {
  const list = (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined && one !== null && one !== '')
  if (field.type === 'checkbox') return html`${value === true ? messages.yes : messages.no}`
  if (list.length === 0) return html`<span class="muted">${messages.nothingGiven}</span>`
  if (field.type === 'daterange') {
    return html`<bdi>${rangeText(value as DateRange, locale)}</bdi>`
  }
  if (field.type === 'file') return html`${filesOf(value).map((file) => html`<div>${fileText(file, locale)}</div>`)}`
  const number = typeof value === 'number' ? numberText(field, value, locale) : undefined
  if (number !== undefined) return html`<bdi>${number}</bdi>`
  if (field.type === 'date' || field.type === 'datetime') return html`<bdi>${dateText(String(value), locale)}</bdi>`
  const options = 'options' in field ? (field.options as readonly FieldOption[]) : []
  const labels = list.map((one) => outside(options.find((option) => option.value === one)?.label ?? String(one)))
  return html`${labels.map((label, at) => html`${at > 0 && ', '}${label}`)}`
}

function numberText(field: InputField, value: number, locale: string): string {
  const style = field.type === 'money' ? { style: 'currency' as const, currency: field.currency } : {}
  return new Intl.NumberFormat(locale, {
    ...style,
    ...(field.type !== 'money' && { maximumFractionDigits: 20 }),
  }).format(value)
}

/**
 * Returns the hidden inputs of a step: its place, and the answers of all other steps. A secret is never among them: it
 * is asked in the last step and is typed again if that step is shown again.
 */
export function carried(step: Step, { fields }: InputSchema, values: Record<string, unknown>): Html {
  const others = fields.filter((field) => !step.fields.includes(field) && field.type !== 'secret')
  const pairs = others.flatMap((field) => pairsOf(field, values[field.id]))
  const place = [
    [STEP, String(step.index)],
    [STEP_FIELDS, drawnOf(step.fields)],
  ] as const
  return html`${[...place, ...pairs].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

/** Returns the inputs of one value, as the control of the field would send them. */
function pairsOf(field: InputField, value: unknown): (readonly [name: string, value: string])[] {
  const name = fieldName(field.id)
  if (field.type === 'daterange') {
    const { from = '', to = '' } = (value ?? {}) as { from?: string; to?: string }
    return [[`${name}.from`, from] as const, [`${name}.to`, to] as const].filter(([, text]) => text !== '')
  }
  if (field.type === 'file') return filesOf(value).map((file) => [name, carriedFile(file)] as const)
  const sent = (Array.isArray(value) ? value : [value]).filter((one) =>
    ['string', 'number', 'boolean'].includes(typeof one),
  )
  return sent.filter((one) => one !== '' && one !== false).map((one) => [name, String(one)] as const)
}
