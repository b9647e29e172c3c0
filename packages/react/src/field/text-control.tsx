import type { HTMLInputTypeAttribute, InputHTMLAttributes } from 'react'
import { useCard } from '../card/card-context.ts'
import { classes } from '../card/part.tsx'
import { visible } from '../shared/escape.ts'
import { type ControlProps, described } from './types.ts'

type Attributes = InputHTMLAttributes<HTMLInputElement>

/** How each kind of text is typed: keyboard, what may be filled in, and the native control where it helps. */
const kinds: Readonly<Record<string, Attributes & { type: HTMLInputTypeAttribute }>> = {
  email: { type: 'email', inputMode: 'email', autoComplete: 'email' },
  url: { type: 'url', inputMode: 'url', autoComplete: 'url' },
  date: { type: 'date' },
  datetime: { type: 'datetime-local' },
  // Not type=number: that one drops what is not a number yet, and turns with the wheel.
  number: { type: 'text', inputMode: 'decimal' },
  integer: { type: 'text', inputMode: 'numeric' },
  secret: { type: 'password', autoComplete: 'new-password', spellCheck: false },
}

/** Typed in one direction or the other; numbers and dates stand as the card does. */
const DIRECTED: ReadonlySet<string> = new Set(['text', 'email', 'url', 'secret'])

export function TextControl(props: ControlProps) {
  const { field, value, onChange, readOnly } = props
  const { slots, classNames } = useCard()
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const shared = {
    ...described(props),
    className: classes('hp-input', classNames.input),
    'data-slot': 'input',
    value: text,
    readOnly,
    placeholder: field.placeholder ? visible(field.placeholder) : undefined,
    ...('maxLength' in field && typeof field.maxLength === 'number' ? lengthHint(field.maxLength) : {}),
  }
  if (field.type === 'textarea') {
    return <textarea {...shared} rows={4} dir="auto" onChange={(event) => onChange(event.target.value)} />
  }
  const Input = slots.Input ?? 'input'
  const kind = kinds[field.type] ?? { type: 'text' }
  return (
    <Input
      {...shared}
      {...kind}
      {...(field.autocomplete ? { autoComplete: field.autocomplete as Attributes['autoComplete'] } : {})}
      {...(field.type === 'date' || field.type === 'datetime' ? { min: field.min, max: field.max } : {})}
      {...(DIRECTED.has(field.type) ? { dir: 'auto' } : {})}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** Shown to the keyboard only as a hint: what is typed beyond it is not cut off but said. */
const lengthHint = (max: number) => ({ 'data-max-length': max })
