import type { ReadableRow, ReadableValue as Value } from '@holdpoint/core/internal'
import type { ReactNode } from 'react'
import { ReadableValue } from '../../readable/readable-value.tsx'
import type { Texts } from '../definition/argument-checks.ts'

/** A text as it is, in lines if it has some. */
export const textOf = (text: string): Value => ({ kind: 'text', text, block: text.includes('\n') })

/** One text, or a list of them. */
export const textsOf = (texts: Texts): Value =>
  typeof texts === 'string'
    ? textOf(texts)
    : texts.length === 1
      ? textOf(texts[0]!)
      : { kind: 'list', items: texts.map(textOf) }

/** Labels and values below each other; those without a value are left out. */
export function PreviewRows({
  rows,
}: {
  rows: readonly (readonly [label: string, value: Value | '' | undefined])[]
}): ReactNode {
  const shown = rows.flatMap(([label, value], index): ReadableRow[] =>
    value ? [{ key: `${index}`, label, value }] : [],
  )
  return shown.length > 0 ? <ReadableValue value={{ kind: 'group', rows: shown }} /> : null
}
