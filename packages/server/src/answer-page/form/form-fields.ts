import type { InputField, InputSchema } from '@holdpoint/core'
import { initialFormValues } from '@holdpoint/core/forms'
import { escapeInvisible, type FieldErrors, say } from '@holdpoint/core/internal'
import { askedFields, decimalsOf, groupsOf, OTHER_LENGTH } from '@holdpoint/core/internal/forms'
import type { Messages } from '@holdpoint/core/messages'
import { type Html, html, outside } from '../markup/html.ts'
import type { PageLanguage } from '../markup/language.ts'
import { type FileField, fileControl } from './files.ts'
import { DRAWN, drawnOf, fieldName, otherName } from './names.ts'
import { carried } from './step-parts.ts'
import type { Step } from './steps.ts'

interface Shown {
  schema: InputSchema
  language: PageLanguage
  /** The largest file that this server accepts. */
  uploadBytes: number
  /** The input of the person, or the initial values of the question. */
  values: Record<string, unknown>
  errors: FieldErrors
  /** The step of a questionnaire, of which only the fields are drawn. */
  step?: Step | undefined
}

/** Returns all fields of a form or of a step, with labels, descriptions and errors. */
export function formFields(shown: Shown): Html {
  const { schema, step, values } = shown
  const { messages } = shown.language
  const possible = step?.fields ?? schema.fields
  const mixed = possible.some(({ required }) => required) && possible.some(({ required }) => !required)
  const legend = say(messages.requiredLegend, { mark: messages.required })
  const asked = step?.fields ?? askedFields(schema, values)
  // The page has no JavaScript, so it cannot show or hide fields. It notes the drawn fields if some depend on answers.
  const depends = schema.fields.some(({ when }) => when)
  const drawn = step
    ? carried(step, schema, values)
    : depends && html`<input type="hidden" name="${DRAWN}" value="${drawnOf(asked)}">`
  return html`${drawn}${mixed && html`<p class="muted">${legend}</p>`}${groupsOf(asked).map(({ name, fields }) => {
    const drawnFields = html`${fields.map((field) => fieldOf(field as InputField, shown))}`
    return name ? html`<fieldset class="group"><legend>${outside(name)}</legend>${drawnFields}</fieldset>` : drawnFields
  })}`
}

/** Returns the initial values of a form: those of the question, otherwise the defaults of the fields. */
export const startValues = (schema: InputSchema, given: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...initialFormValues(schema),
  ...given,
})

function fieldOf(field: InputField, { language, values, errors, uploadBytes }: Shown): Html {
  const { messages } = language
  const id = fieldName(field.id)
  const wrong = errors[field.id] ?? []
  const described = [field.description && `${id}-d`, wrong.length > 0 && `${id}-e`].filter(Boolean).join(' ')
  const state = html`${described && html` aria-describedby="${described}"`}${wrong.length > 0 && html` aria-invalid="true"`}`
  const name = html`${outside(field.label)}${field.required && html` <span class="muted">${messages.required}</span>`}`
  const notes = html`${field.description && html`<p class="description" id="${id}-d">${outside(field.description)}</p>`}${
    wrong.length > 0 && html`<p class="error" id="${id}-e">${wrong.join(' ')}</p>`
  }${field.type === 'secret' && html`<p class="description">${messages.secretNote}</p>`}${
    field.type === 'datetime' && html`<p class="description">${say(messages.timeZone, { zone: 'UTC' })}</p>`
  }`
  if (field.type === 'daterange') {
    const { from = '', to = '' } = (values[field.id] ?? {}) as { from?: string; to?: string }
    const day = (end: 'from' | 'to', label: string, value: string) =>
      html`<label class="day">${label} <input type="date" id="${end === 'from' ? id : `${id}-to`}" name="${id}.${end}"${limitsOf(field)} value="${value}"${state}></label>`
    return html`<fieldset class="field"><legend>${name}</legend>${notes}<div class="days">${day('from', messages.rangeFrom, from)}${day('to', messages.rangeTo, to)}</div></fieldset>`
  }
  // A select with a free text is drawn as radio buttons, so that it is visible what is chosen.
  if (field.type === 'radio' || field.type === 'multiselect' || (field.type === 'select' && field.other)) {
    return html`<fieldset class="field" id="${id}"${state}><legend>${name}</legend>${notes}${choices(field, id, values[field.id], messages)}</fieldset>`
  }
  if (field.type === 'checkbox') {
    const ticked = values[field.id] === true && html` checked`
    return html`<div class="field"><label class="choice"><input type="checkbox" id="${id}" name="${id}" value="true"${ticked}${state}><span>${name}</span></label>${notes}</div>`
  }
  const value = values[field.id]
  const drawn =
    field.type === 'file'
      ? fileControl(field, { id, value, state, locale: language.locale, uploadBytes })
      : control(field, id, value, messages, state)
  return html`<div class="field"><label class="name" for="${id}">${name}</label>${drawn}${notes}</div>`
}

function choices(field: Choice, id: string, value: unknown, messages: Messages): Html {
  const chosen = Array.isArray(value) ? value : [value]
  const type = field.type === 'multiselect' ? 'checkbox' : 'radio'
  const choice = (one: string, label: Html, ticked: boolean) =>
    html`<label class="choice"><input type="${type}" name="${id}" value="${one}"${ticked && html` checked`}><span>${label}</span></label>`
  const own = ownWords(field, chosen)
  return html`${field.options.map((option) => {
    const about = option.description && html`<br><span class="muted">${outside(option.description)}</span>`
    return choice(option.value, html`${outside(option.label)}${about}`, chosen.includes(option.value))
  })}${field.other && html`${choice('', html`${messages.other}`, own !== '')}${otherInput(field, id, own, messages)}`}`
}

type Choice = Extract<InputField, { type: 'select' | 'radio' | 'multiselect' }>

/** Returns the free text, which is the value that is not one of the options. */
const ownWords = (field: Choice, chosen: readonly unknown[]): string =>
  String(
    chosen.find((one) => typeof one === 'string' && one !== '' && !field.options.some(({ value }) => value === one)) ??
      '',
  )

function otherInput(field: Choice, id: string, own: string, messages: Messages): Html {
  const label = say(messages.otherFor, { name: escapeInvisible(field.label) })
  return html`<input class="other" id="${id}-other" name="${otherName(field.id)}" aria-label="${label}" placeholder="${messages.other}" maxlength="${OTHER_LENGTH}" value="${own}">`
}

function control(
  field: Exclude<InputField, FileField>,
  id: string,
  value: unknown,
  messages: Messages,
  state: Html,
): Html {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const { placeholder, autocomplete } = field as { placeholder?: string; autocomplete?: string }
  const common = html` id="${id}" name="${id}"${placeholder && html` placeholder="${escapeInvisible(placeholder)}"`}${
    autocomplete && html` autocomplete="${autocomplete}"`
  }${state}`
  switch (field.type) {
    case 'textarea':
      return html`<textarea${common}>
${text}</textarea>`
    case 'select':
      return html`<select${common}><option value="">${messages.choose}</option>${field.options.map(
        (option) =>
          html`<option value="${option.value}"${option.value === value && html` selected`}>${escapeInvisible(option.label)}</option>`,
      )}</select>`
    case 'money': {
      const step = (10 ** -decimalsOf(field.currency)).toFixed(decimalsOf(field.currency))
      return html`<span class="money"><input type="number" step="${step}"${common} value="${text}"> <span>${field.currency}</span></span>`
    }
    case 'phone':
      return html`<input type="tel"${!autocomplete && html` autocomplete="tel"`}${common} value="${text}">`
    case 'secret':
      // A secret that was entered is never sent back to the page.
      return html`<input type="password" id="${id}" name="${id}" autocomplete="off"${state}>`
    case 'datetime':
      return html`<input type="datetime-local"${common}${limitsOf(field)} value="${text.replace(/(?:\.\d+)?Z$/, '')}">`
    case 'date':
      return html`<input type="date"${common}${limitsOf(field)} value="${text}">`
    case 'number':
    case 'integer':
      return html`<input type="number" step="${field.type === 'integer' ? '1' : 'any'}"${common} value="${text}">`
    default:
      return html`<input type="${field.type}"${common} value="${text}">`
  }
}

/** Returns the limits of a date, so that the browser's own calendar offers no other days. */
function limitsOf({ type, min, max }: { type: string; min?: string | undefined; max?: string | undefined }): Html {
  // The control of a time has no zone. The page shows and reads its times in UTC.
  const written = (limit: string) => (type === 'datetime' ? limit.replace(/(?::\d\d(?:\.\d+)?)?Z$/, '') : limit)
  return html`${min && html` min="${written(min)}"`}${max && html` max="${written(max)}"`}`
}
