import type { FieldOption, FieldSpec } from '@holdpoint/core/internal'

export const optionsOf = (field: FieldSpec): readonly FieldOption[] =>
  'options' in field ? (field.options as readonly FieldOption[]) : []

/** From this many options on, a person searches instead of reading them all. */
const SEARCHED = 15

export const isSearched = (field: FieldSpec): boolean => optionsOf(field).length >= SEARCHED

/** Whether a choice has text of one's own beside its options. */
export const hasOther = (field: FieldSpec): boolean => 'other' in field && field.other === true

/** The option with this name, or with this value. Case and accents do not count. */
export function optionNamed(text: string, options: readonly FieldOption[]): FieldOption | undefined {
  const wanted = plain(text)
  if (!wanted) return undefined
  return options.find(({ label }) => plain(label) === wanted) ?? options.find(({ value }) => value === text.trim())
}

/** Options whose name contains the text; first those that begin with it. */
export function optionsWith(text: string, options: readonly FieldOption[]): readonly FieldOption[] {
  const wanted = plain(text)
  if (!wanted) return options
  const found = options.filter(({ label, description = '' }) => plain(`${label} ${description}`).includes(wanted))
  const first = found.filter(({ label }) => plain(label).startsWith(wanted))
  return [...first, ...found.filter((option) => !first.includes(option))]
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase()
