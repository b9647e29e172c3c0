import type { FieldOption, FieldSpec } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'

import { useCard } from '../card/elements/card-context.ts'
import { visible } from '../wording/escape.ts'
import { SafeText } from '../wording/text.tsx'
import { filesOf } from './file-control.tsx'

/** What was answered, as a list of names and values. A secret says only whether it was given. */
export function ReadOnlyValues({
  fields,
  values,
}: {
  fields: readonly FieldSpec[]
  values: Readonly<Record<string, unknown>>
}) {
  const { messages } = useCard()
  return (
    <dl className="hp-values" data-slot="values">
      {fields.map((field) => {
        const text = shownValue(field, Object.hasOwn(values, field.id) ? values[field.id] : undefined, messages)
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
export function shownValue(field: FieldSpec, value: unknown, messages: Messages): string {
  if (field.type === 'secret') return value ? messages.secretSet : messages.secretNotSet
  if (field.type === 'checkbox') return value === true ? messages.yes : messages.no
  if (field.type === 'file') {
    const names = filesOf(value).map(({ name }) => visible(name))
    return names.join(', ') || messages.nothingGiven
  }
  if (value === undefined || value === null || value === '') return messages.nothingGiven
  const options = 'options' in field ? (field.options as FieldOption[]) : []
  const label = (each: unknown) => visible(options.find((option) => option.value === each)?.label ?? textOf(each))
  if (Array.isArray(value)) return value.map(label).join(', ') || messages.nothingGiven
  return label(value)
}

const textOf = (value: unknown) => (typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value))
