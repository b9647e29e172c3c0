import { say } from '@holdpoint/core/internal'
import { useState } from 'react'
import { useCard } from '../../card/elements/card-context.ts'
import { classes } from '../../card/elements/part.tsx'
import { visible } from '../../wording/escape.ts'
import { type ControlProps, described } from '../values/types.ts'
import { readNumber, writeNumber } from './read-number.ts'

/**
 * A number in the format of its reader: decimal comma, groups, other digits. The form contains the plain number. If the
 * parsed number differs from the typed text, it is shown. The control is not `type=number`, which drops incomplete
 * numbers and changes with the mouse wheel.
 */
export function NumberControl({ unit, ...props }: ControlProps & { unit?: string }) {
  const { field, value, onChange, readOnly } = props
  const { slots, classNames, locale, messages } = useCard()
  const plain = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const [typed, setTyped] = useState(() => writeNumber(plain, locale))
  // If other code has changed the value, the control shows the new value.
  const text = (readNumber(typed, locale) ?? typed) === plain ? typed : writeNumber(plain, locale)
  const read = readNumber(text, locale)
  const echo = read === undefined ? '' : writeNumber(read, locale)
  const echoes = echo !== '' && echo !== text.trim()
  const Input = slots.Input ?? 'input'
  const below = 'minimum' in field && typeof field.minimum === 'number' && field.minimum < 0
  const input = (
    <Input
      {...described(props, unit !== undefined && 'unit', echoes && 'read')}
      className={classes('hp-input', classNames.input)}
      data-slot="input"
      type="text"
      // The number pads of phones have no minus.
      inputMode={below ? 'text' : field.type === 'integer' ? 'numeric' : 'decimal'}
      autoComplete={field.autocomplete as 'off' | undefined}
      placeholder={field.placeholder ? visible(field.placeholder) : undefined}
      value={text}
      readOnly={readOnly}
      onChange={(event) => {
        const next = event.target.value
        setTyped(next)
        onChange(readNumber(next, locale) ?? next)
      }}
    />
  )
  return (
    <>
      {unit === undefined ? (
        input
      ) : (
        <div className="hp-amount">
          {input}
          <span id={`${props.controlId}-unit`}>{unit}</span>
        </div>
      )}
      {echoes ? (
        <p className="hp-about" id={`${props.controlId}-read`} data-slot="number-read">
          {say(messages.numberRead, { number: echo })}
        </p>
      ) : null}
    </>
  )
}
