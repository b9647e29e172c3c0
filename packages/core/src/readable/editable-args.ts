import { escapeInvisible } from '../text/escape-invisible.ts'
import { isDay } from './dates.ts'
import { isExact } from './numbers.ts'

/** One value of the arguments, with what a person may change in it. Values that are not changed stay exactly as they are. */
export type EditableValue =
  /** `lines`: a text of several lines. */
  | { readonly kind: 'text'; readonly text: string; readonly lines?: true }
  /** A day, as `YYYY-MM-DD`. */
  | { readonly kind: 'date'; readonly text: string }
  /** `typed` is what the person wrote instead of `value`; it may not be a number yet. */
  | { readonly kind: 'number'; readonly value: number; readonly typed?: string }
  | { readonly kind: 'flag'; readonly on: boolean }
  /** Items can be removed. `of` is the kind of all items: others like them can be added. */
  | { readonly kind: 'list'; readonly items: readonly EditableValue[]; readonly of?: 'text' | 'number' }
  | EditableGroup
  /** Can be changed only as JSON. */
  | { readonly kind: 'fixed'; readonly value: unknown }

/** An object, with its keys in their order. */
export interface EditableGroup {
  readonly kind: 'group'
  readonly entries: readonly { readonly key: string; readonly value: EditableValue }[]
}

/** Beyond this depth `readableArgs` shows JSON too. */
const DEPTH = 4
const FIELDS = 100
const LINE = 90

/**
 * Returns the arguments as fields, derived from the values alone; undefined if they can be edited only as JSON: they are
 * no object, have nothing to change, or would be too many fields. Text with invisible characters gets no field, because
 * a person could not see what they keep.
 */
export function editableArgs(args: unknown): EditableGroup | undefined {
  const form = editable(args, DEPTH)
  const count = fieldsIn(form)
  return form.kind === 'group' && count > 0 && count <= FIELDS ? form : undefined
}

function editable(value: unknown, depth: number): EditableValue {
  if (typeof value === 'boolean') return { kind: 'flag', on: value }
  if (typeof value === 'number' && isExact(value)) return { kind: 'number', value }
  if (isShownText(value)) return isDay(value) ? { kind: 'date', text: value } : editableText(value)
  if (typeof value !== 'object' || value === null || depth === 0) return { kind: 'fixed', value }
  if (Array.isArray(value)) return editableList(value, depth - 1)
  const entries = Object.entries(value).map(([key, inner]) => ({ key, value: editable(inner, depth - 1) }))
  return entries.length > 0 ? { kind: 'group', entries } : { kind: 'fixed', value }
}

const isShownText = (value: unknown): value is string => typeof value === 'string' && escapeInvisible(value) === value

function editableText(text: string): EditableValue {
  return { kind: 'text', text, ...((text.length > LINE || text.includes('\n')) && { lines: true }) }
}

function editableList(values: readonly unknown[], depth: number): EditableValue {
  // Nothing says what an empty list is a list of.
  if (values.length === 0) return { kind: 'fixed', value: values }
  // In a list of texts a date is a text too, so that all entries look alike.
  if (values.every(isShownText)) return { kind: 'list', of: 'text', items: values.map(editableText) }
  const items = values.map((item) => editable(item, depth))
  return { kind: 'list', items, ...(items.every(({ kind }) => kind === 'number') && { of: 'number' }) }
}

function fieldsIn(value: EditableValue): number {
  if (value.kind === 'fixed') return 0
  const inner =
    value.kind === 'list' ? value.items : value.kind === 'group' ? value.entries.map((one) => one.value) : []
  return inner.length === 0 ? 1 : inner.reduce((sum, one) => sum + fieldsIn(one), 0)
}

/** Returns the same with another value at a path of positions, or without the value there. */
export function withValue(
  form: EditableGroup,
  path: readonly number[],
  value: EditableValue | undefined,
): EditableGroup {
  return replaced(form, path, value) as EditableGroup
}

function replaced(
  at: EditableValue,
  [index, ...rest]: readonly number[],
  value: EditableValue | undefined,
): EditableValue | undefined {
  if (index === undefined) return value
  if (at.kind === 'list') {
    const item = at.items[index]
    const next = item && rest.length > 0 ? replaced(item, rest, value) : value
    return { ...at, items: spliced(at.items, index, next) }
  }
  if (at.kind !== 'group') return at
  const entry = at.entries[index]
  const next = entry && replaced(entry.value, rest, value)
  return { ...at, entries: spliced(at.entries, index, entry && next && { ...entry, value: next }) }
}

/** A position behind the last one adds an item. */
function spliced<T>(list: readonly T[], index: number, next: T | undefined): T[] {
  return [...list.slice(0, index), ...(next === undefined ? [] : [next]), ...list.slice(index + 1)]
}
