import type { InputField } from '@holdpoint/core'
import { escapeInvisible } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { lengthOf } from '../../shown.ts'
import { plain } from './text.ts'

/** Slack's limits for lengths and counts. */
const LONGEST_LABEL = 2_000
const LONGEST_OPTION = 75
const LONGEST_PLACEHOLDER = 150
const LONGEST_INPUT = 3_000
const MOST_OPTIONS = 100
/** The number of options above which a menu is used. */
const MOST_BUTTONS = 10

const fits = (text: string | undefined, length: number) =>
  text === undefined || lengthOf(escapeInvisible(text)) <= length

type ChoiceField = Extract<InputField, { type: 'select' | 'radio' | 'multiselect' }>

/** Returns the label of a field. Slack's field for numbers shows no currency, so the label names it. */
export const labelOf = (field: InputField): string =>
  field.type === 'money' ? `${field.label} (${field.currency})` : field.label

/** Returns whether Slack has an element that accepts every value of the field and shows all of its text. */
export function isSlackField(field: InputField, initial: unknown): boolean {
  if (field.when || !field.label.trim()) return false
  if (!fits(labelOf(field), LONGEST_LABEL) || !fits(field.description, LONGEST_LABEL)) return false
  if (!fits(field.placeholder, LONGEST_PLACEHOLDER)) return false
  if (typeof initial === 'string' && !fits(initial, LONGEST_INPUT)) return false
  switch (field.type) {
    case 'text':
    case 'textarea':
      return (field.minLength ?? 0) <= LONGEST_INPUT
    case 'datetime':
      return typeof initial !== 'string' || initial === '' || secondsOf(initial) !== undefined
    case 'email':
    case 'url':
    case 'phone':
    case 'number':
    case 'integer':
    case 'money':
    case 'date':
    case 'checkbox':
      return true
    case 'select':
    case 'radio':
    case 'multiselect':
      return !field.other && field.options.length <= MOST_OPTIONS && field.options.every(isSlackOption)
    default:
      return false
  }
}

const isSlackOption = ({ label, description }: { label: string; description?: string | undefined }) =>
  label.trim() !== '' && fits(label, LONGEST_OPTION) && (!description || fits(description, LONGEST_OPTION))

/** Returns the element of a field, with the initial value. */
export function elementOf(field: InputField, initial: unknown, messages: Messages): object {
  const common = { action_id: 'value', ...(field.placeholder && { placeholder: plain(field.placeholder) }) }
  const text = typeof initial === 'string' && initial !== '' ? { initial_value: initial } : {}
  switch (field.type) {
    case 'text':
    case 'textarea': {
      const { minLength, maxLength } = field
      const least = minLength ? { min_length: minLength } : {}
      const most = maxLength && maxLength <= LONGEST_INPUT ? { max_length: maxLength } : {}
      return { type: 'plain_text_input', multiline: field.type === 'textarea', ...common, ...least, ...most, ...text }
    }
    case 'email':
      return { type: 'email_text_input', ...common, ...text }
    case 'url':
      return { type: 'url_text_input', ...common, ...text }
    case 'number':
    case 'integer':
    case 'money': {
      const number = typeof initial === 'number' ? { initial_value: String(initial) } : text
      const least = field.minimum === undefined ? {} : { min_value: String(field.minimum) }
      const most = field.maximum === undefined ? {} : { max_value: String(field.maximum) }
      return {
        ...{ type: 'number_input', is_decimal_allowed: field.type !== 'integer' },
        ...{ ...common, ...number, ...least, ...most },
      }
    }
    case 'date':
      return { type: 'datepicker', action_id: 'value', ...(isDay(initial) && { initial_date: initial }) }
    case 'datetime': {
      const seconds = typeof initial === 'string' ? secondsOf(initial) : undefined
      return { type: 'datetimepicker', action_id: 'value', ...(seconds && { initial_date_time: seconds }) }
    }
    case 'checkbox': {
      const options = [{ text: plain(messages.yes), value: 'true' }]
      const ticked = initial === true ? { initial_options: options } : {}
      return { type: 'checkboxes', action_id: 'value', options, ...ticked }
    }
    case 'select':
    case 'radio':
    case 'multiselect':
      return choiceOf(field, initial, common)
    default:
      return { type: 'plain_text_input', ...common, ...text }
  }
}

/** Returns a time in seconds, or undefined if Slack cannot show it: a time needs ten digits, those of 2001 to 2286. */
function secondsOf(time: string): number | undefined {
  const seconds = Math.floor(Date.parse(time) / 1_000)
  return seconds >= 1e9 && seconds < 1e10 ? seconds : undefined
}

const isDay = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** Returns an element with options. The value of an option is its index, because Slack limits the length of values. */
function choiceOf(field: ChoiceField, initial: unknown, common: object): object {
  const options = field.options.map(({ label, description }, index) => ({
    ...{ text: plain(label), value: String(index) },
    ...(description && { description: plain(description) }),
  }))
  const isFew = options.length <= MOST_BUTTONS
  const wanted = Array.isArray(initial) ? initial : [initial]
  const chosen = options.filter((_option, index) => wanted.includes(field.options[index]?.value))
  if (field.type === 'multiselect') {
    const start = chosen.length > 0 ? { initial_options: chosen } : {}
    if (isFew) return { type: 'checkboxes', action_id: 'value', options, ...start }
    return { type: 'multi_static_select', ...common, options, ...start }
  }
  const start = chosen[0] ? { initial_option: chosen[0] } : {}
  if (field.type === 'radio' && isFew) return { type: 'radio_buttons', action_id: 'value', options, ...start }
  return { type: 'static_select', ...common, options, ...start }
}
