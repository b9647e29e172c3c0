import { type EditableGroup, type EditableValue, labelsOf, writtenArgs } from '@holdpoint/core/internal/editing'
import { readableArgs } from '@holdpoint/core/readable'
import type { ReactNode } from 'react'
import { useCard } from '../../card/elements/card-context.ts'
import type { Problems } from '../../field/values/problems.ts'
import { visible } from '../../wording/escape.ts'
import { ArgumentField } from './argument-field.tsx'

/** The props that all fields of one form share. */
export interface FormProps {
  id: string
  /** By `valueId`. */
  problems: Problems
  /** Without a value the one at the path is removed. */
  change: (path: readonly number[], value: EditableValue | undefined) => void
}

/** One place in the arguments: its positions, and the keys that name it. */
export interface Place {
  at: readonly number[]
  keys: readonly (string | number)[]
}

/** Arguments as fields in the shape of their rows: labels, nested groups, lists as lists. */
export function ArgumentFields({ form, ...props }: FormProps & { form: EditableGroup }) {
  return (
    <div className="hp-fields hp-argument-fields" data-slot="argument-fields">
      <GroupFields {...props} group={form} place={{ at: [], keys: [] }} />
    </div>
  )
}

/** The fields of one object. */
export function GroupFields({ group, place, ...props }: FormProps & { group: EditableGroup; place: Place }): ReactNode {
  const { locale } = useCard()
  const labels = labelsOf(
    group.entries.map(({ key }) => ({ key, labelKey: key })),
    visible,
  )
  const readings = readingsOf(group, readableArgs(writtenArgs(group), { locale, visible }))
  return group.entries.map(({ key, value }, index) => {
    const { label, exactKey } = labels[index]!
    const about = readings.get(key)
    return (
      <ArgumentField
        key={key}
        {...props}
        value={value}
        place={{ at: [...place.at, index], keys: [...place.keys, key] }}
        label={exactKey === undefined ? label : `${label} (${exactKey})`}
        {...(about !== undefined && { about })}
      />
    )
  })
}

/** How values read that a field shows in another form: an amount in cents as money, a time in the reader's zone. */
function readingsOf(group: EditableGroup, read: ReturnType<typeof readableArgs>): ReadonlyMap<string, string> {
  const readings = new Map<string, string>()
  if (read.kind !== 'group') return readings
  for (const { key, label, value } of read.rows) {
    if (value.kind !== 'plain') continue
    const field = group.entries.find((entry) => entry.key === key)?.value
    if (field?.kind === 'text' && field.text !== '') readings.set(key, value.text)
    const [own] = labelsOf([{ key, labelKey: key }], visible)
    if (field?.kind === 'number' && own?.label !== label) readings.set(key, `${label}: ${value.text}`)
  }
  return readings
}
