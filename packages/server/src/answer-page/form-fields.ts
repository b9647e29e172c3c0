import type { InputField, InputSchema } from '@holdpoint/core'
import { initialFormValues } from '@holdpoint/core/forms'
import { type FieldErrors, say, visible } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { type Html, html, outside } from './markup/html.ts'
import { fieldName } from './read-form.ts'

interface Shown {
  schema: InputSchema
  messages: Messages
  /** What the person entered, or the initial values of the question. */
  values: Record<string, unknown>
  errors: FieldErrors
}

/** Every field of a form, with its label, description and errors. */
export function formFields(shown: Shown): Html {
  const { schema, messages } = shown
  const mixed = schema.fields.some(({ required }) => required) && schema.fields.some(({ required }) => !required)
  const legend = say(messages.requiredLegend, { mark: messages.required })
  return html`${mixed && html`<p class="muted">${legend}</p>`}${schema.fields.map((field) => fieldOf(field, shown))}`
}

/** The values that a form starts with: the question's own, then the defaults of the fields. */
export const startValues = (schema: InputSchema, given: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...initialFormValues(schema),
  ...given,
})

function fieldOf(field: InputField, { messages, values, errors }: Shown): Html {
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
  if (field.type === 'radio' || field.type === 'multiselect') {
    return html`<fieldset class="field" id="${id}"${state}><legend>${name}</legend>${notes}${choices(field, id, values[field.id])}</fieldset>`
  }
  if (field.type === 'checkbox') {
    const ticked = values[field.id] === true && html` checked`
    return html`<div class="field"><label class="choice"><input type="checkbox" id="${id}" name="${id}" value="true"${ticked}${state}>${name}</label>${notes}</div>`
  }
  return html`<div class="field"><label class="name" for="${id}">${name}</label>${control(field, id, values[field.id], messages, state)}${notes}</div>`
}

function choices(field: Extract<InputField, { type: 'radio' | 'multiselect' }>, id: string, value: unknown): Html {
  const chosen = Array.isArray(value) ? value : [value]
  const type = field.type === 'radio' ? 'radio' : 'checkbox'
  return html`${field.options.map(
    (option) =>
      html`<label class="choice"><input type="${type}" name="${id}" value="${option.value}"${chosen.includes(option.value) && html` checked`}><span>${outside(option.label)}${option.description && html`<br><span class="muted">${outside(option.description)}</span>`}</span></label>`,
  )}`
}

function control(field: InputField, id: string, value: unknown, messages: Messages, state: Html): Html {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const { placeholder, autocomplete } = field as { placeholder?: string; autocomplete?: string }
  const common = html` id="${id}" name="${id}"${placeholder && html` placeholder="${visible(placeholder)}"`}${
    autocomplete && html` autocomplete="${autocomplete}"`
  }${state}`
  switch (field.type) {
    case 'textarea':
      return html`<textarea${common}>
${text}</textarea>`
    case 'select':
      return html`<select${common}><option value="">${messages.choose}</option>${field.options.map(
        (option) =>
          html`<option value="${option.value}"${option.value === value && html` selected`}>${visible(option.label)}</option>`,
      )}</select>`
    case 'secret':
      // What was typed is never sent back.
      return html`<input type="password" id="${id}" name="${id}" autocomplete="off"${state}>`
    case 'datetime':
      return html`<input type="datetime-local"${common} value="${text.replace(/(?:\.\d+)?Z$/, '')}">`
    case 'number':
    case 'integer':
      return html`<input type="number" step="${field.type === 'integer' ? '1' : 'any'}"${common} value="${text}">`
    case 'file':
      return html`<p class="muted" id="${id}">${messages.unknownText}</p>`
    default:
      return html`<input type="${field.type}"${common} value="${text}">`
  }
}
