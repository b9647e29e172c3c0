import type { DateRange, FieldOption, FieldSpec } from '@holdpoint/core/internal'
import { askedFields } from '@holdpoint/core/internal/forms'
import type { Messages } from '@holdpoint/core/messages'

import { useCard } from '../card/elements/card-context.ts'
import { visible } from '../wording/escape.ts'
import { SafeText } from '../wording/text.tsx'
import { filesOf } from './values/files.ts'

/** Shows an answer as a list of names and values. For a secret it shows only whether there is one. */
export function ReadOnlyValues({
  fields,
  values,
}: {
  fields: readonly FieldSpec[]
  values: Readonly<Record<string, unknown>>
}) {
  const { messages, locale } = useCard()
  // A field that was not asked has nothing to show.
  const asked = new Set(askedFields(fields, values))
  const shown = fields.filter((field) => asked.has(field) || Object.hasOwn(values, field.id))
  return (
    <dl className="hp-values" data-slot="values">
      {shown.map((field) => {
        const text = shownValue(field, Object.hasOwn(values, field.id) ? values[field.id] : undefined, messages, locale)
        return (
          <div key={field.id}>
            <dt>
              <SafeText>{field.label}</SafeText>
            </dt>
            <dd data-empty={text === messages.nothingGiven || undefined}>{text}</dd>
          </div>
        )
      })}
    </dl>
  )
}

/** One value as text. */
export function shownValue(field: FieldSpec, value: unknown, messages: Messages, locale = 'en'): string {
  if (field.type === 'secret') return value ? messages.secretSet : messages.secretNotSet
  if (field.type === 'checkbox') return value === true ? messages.yes : messages.no
  if (field.type === 'file') {
    const names = filesOf(value).map(({ name }) => visible(name))
    return names.join(', ') || messages.nothingGiven
  }
  if (field.type === 'daterange') return rangeText(value, locale) || messages.nothingGiven
  if (value === undefined || value === null || value === '') return messages.nothingGiven
  const read = byLocale(field, value, locale)
  if (read !== undefined) return read
  const options = 'options' in field ? (field.options as FieldOption[]) : []
  const label = (each: unknown) => visible(options.find((option) => option.value === each)?.label ?? textOf(each))
  if (Array.isArray(value)) return value.map(label).join(', ') || messages.nothingGiven
  return label(value)
}

/** Numbers, amounts and dates as the reader writes them; a number that is only typed so far stays as it is. */
function byLocale(field: FieldSpec, value: unknown, locale: string): string | undefined {
  if (field.type === 'date' && typeof value === 'string') return dayText(value, locale)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  if (field.type === 'money') {
    return new Intl.NumberFormat(locale, { style: 'currency', currency: field.currency }).format(number)
  }
  if (field.type !== 'number' && field.type !== 'integer') return undefined
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(number)
}

function dayText(day: string, locale: string): string {
  const time = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(time)) return day
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time)
}

function rangeText(value: unknown, locale: string): string {
  const { from = '', to = '' } = (typeof value === 'object' && value !== null ? value : {}) as Partial<DateRange>
  return [from, to]
    .filter(Boolean)
    .map((day) => dayText(day, locale))
    .join(' – ')
}

const textOf = (value: unknown) => (typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value))
