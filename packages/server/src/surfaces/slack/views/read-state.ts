import type { InputField, InputSchema } from '@holdpoint/core'
import { blockOf } from './modal.ts'

/** The value of one element in Slack's format. */
interface ElementState {
  value?: unknown
  selected_date?: unknown
  selected_date_time?: unknown
  selected_option?: { value?: unknown } | null
  selected_options?: { value?: unknown }[]
}

/** The state of a modal: by block, then by action. */
export type ModalState = Readonly<Record<string, { value?: ElementState } | undefined>>

/** Returns the values of a submitted modal. Empty fields are left out. */
export function readState({ fields }: InputSchema, state: ModalState): Record<string, unknown> {
  const entries = fields.map((field, index) => [field.id, read(field, state[blockOf(index)]?.value ?? {})] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function read(field: InputField, state: ElementState): unknown {
  const text = typeof state.value === 'string' ? state.value : ''
  switch (field.type) {
    case 'number':
    case 'integer':
    case 'money':
      // A text that is not a number stays a text, so that validation reports it.
      return text.trim() === '' ? undefined : Number.isFinite(Number(text)) ? Number(text) : text
    case 'date':
      return typeof state.selected_date === 'string' ? state.selected_date : undefined
    case 'datetime':
      return typeof state.selected_date_time === 'number'
        ? new Date(state.selected_date_time * 1_000).toISOString()
        : undefined
    case 'checkbox':
      return state.selected_options?.some(({ value }) => value === 'true') ?? false
    case 'select':
    case 'radio':
      return field.options[Number(state.selected_option?.value ?? -1)]?.value
    case 'multiselect': {
      const chosen = (state.selected_options ?? []).flatMap(({ value }) => field.options[Number(value)]?.value ?? [])
      return chosen.length > 0 ? chosen : undefined
    }
    default:
      return text === '' ? undefined : text
  }
}
