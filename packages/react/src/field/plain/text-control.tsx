import { say } from '@holdpoint/core/internal'
import { toLocalDateTime } from '@holdpoint/core/internal/forms'
import { type HTMLInputTypeAttribute, type InputHTMLAttributes, useEffect, useSyncExternalStore } from 'react'
import { useCard } from '../../card/elements/card-context.ts'
import { classes } from '../../card/elements/part.tsx'
import { visible } from '../../wording/escape.ts'
import { type ControlProps, described } from '../values/types.ts'

type Attributes = InputHTMLAttributes<HTMLInputElement>

/** How each kind of text is typed: keyboard, what may be filled in, and the native control where it helps. */
const kinds: Readonly<Record<string, Attributes & { type: HTMLInputTypeAttribute }>> = {
  email: { type: 'email', inputMode: 'email', autoComplete: 'email' },
  url: { type: 'url', inputMode: 'url', autoComplete: 'url' },
  date: { type: 'date' },
  datetime: { type: 'datetime-local' },
  // Where the control for secrets cannot be loaded.
  secret: { type: 'password', autoComplete: 'off' },
}

/** Text sets its own direction; dates follow the card. */
const DIRECTED: ReadonlySet<string> = new Set(['text', 'email', 'url'])

export function TextControl(props: ControlProps) {
  const { field, value, onChange, readOnly } = props
  const { slots, classNames } = useCard()
  const given = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  // The native control shows local time alone, and nothing for a moment with a zone.
  const text = (field.type === 'datetime' && toLocalDateTime(given)) || given
  const max = 'maxLength' in field && typeof field.maxLength === 'number' ? field.maxLength : undefined
  const shared = {
    ...described(props, max !== undefined && 'count', field.type === 'datetime' && 'zone'),
    className: classes('hp-input', classNames.input),
    'data-slot': 'input',
    value: text,
    readOnly,
    placeholder: field.placeholder ? visible(field.placeholder) : undefined,
  }
  const count = max === undefined ? null : <Count id={`${props.controlId}-count`} count={text.length} max={max} />
  if (field.type === 'textarea') {
    return (
      <>
        <textarea {...shared} rows={4} dir="auto" onChange={(event) => onChange(event.target.value)} />
        {count}
      </>
    )
  }
  const Input = slots.Input ?? 'input'
  const kind = kinds[field.type] ?? { type: 'text' }
  return (
    <>
      <Input
        {...shared}
        {...kind}
        {...(field.autocomplete ? { autoComplete: field.autocomplete as Attributes['autoComplete'] } : {})}
        {...(field.type === 'date' || field.type === 'datetime' ? { min: field.min, max: field.max } : {})}
        {...(DIRECTED.has(field.type) ? { dir: 'auto' } : {})}
        onChange={(event) => onChange(event.target.value)}
      />
      {field.type === 'datetime' ? <TimeZone id={`${props.controlId}-zone`} value={text} /> : null}
      {count}
    </>
  )
}

/** Text beyond the limit is not cut: the counter shows it, and it is announced when the limit is passed. */
function Count({ id, count, max }: { id: string; count: number; max: number }) {
  const { messages, locale, announcer } = useCard()
  const number = (each: number) => new Intl.NumberFormat(locale).format(each)
  const text = say(messages.characters, { count: number(count), max: number(max) })
  const over = count > max
  useEffect(() => {
    if (over) announcer?.announce(text)
  }, [over, announcer])
  return (
    <p className="hp-about hp-count" id={id} data-slot="count" data-over={over || undefined}>
      {text}
    </p>
  )
}

const never = () => () => {}

/** The zone in which a date and time is read: this device's, on the day that was chosen. */
function TimeZone({ id, value }: { id: string; value: string }) {
  const { messages, locale } = useCard()
  const hydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  // A server does not know where its reader is.
  if (!hydrated) return null
  const at = Date.parse(value)
  const format = new Intl.DateTimeFormat(locale, { timeZoneName: 'long' })
  const name = format
    .formatToParts(Number.isNaN(at) ? undefined : at)
    .find(({ type }) => type === 'timeZoneName')?.value
  return (
    <p className="hp-about" id={id} data-slot="time-zone">
      {say(messages.timeZone, { zone: name ?? format.resolvedOptions().timeZone })}
    </p>
  )
}
