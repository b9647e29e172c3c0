import { validateInput } from '@holdpoint/core/forms'
import { say } from '@holdpoint/core/internal'
import { useCard } from '../../card/elements/card-context.ts'
import { classes } from '../../card/elements/part.tsx'
import { visible } from '../../wording/escape.ts'
import { type ControlProps, described } from '../values/types.ts'

/** A phone number as people write it. The number that is sent is shown below wherever it is written differently. */
export function PhoneControl(props: ControlProps) {
  const { field, controlId, value, onChange, readOnly } = props
  const { slots, classNames, messages } = useCard()
  const Input = slots.Input ?? 'input'
  const text = typeof value === 'string' ? value : ''
  const checked = validateInput([{ id: 'read', type: 'phone', label: '' }], { read: text })
  const read = checked.ok ? checked.value.read : undefined
  const echoes = read !== undefined && read !== text.trim()
  return (
    <>
      <Input
        {...described(props, echoes && 'read')}
        className={classes('hp-input', classNames.input)}
        data-slot="input"
        type="tel"
        inputMode="tel"
        autoComplete={(field.autocomplete ?? 'tel') as 'tel'}
        dir="ltr"
        placeholder={field.placeholder ? visible(field.placeholder) : '+49 30 1234567'}
        value={text}
        readOnly={readOnly}
        onChange={(event) => onChange(event.target.value)}
      />
      {echoes ? (
        <p className="hp-about" id={`${controlId}-read`} data-slot="number-read">
          {say(messages.numberRead, { number: `\u2066${read}\u2069` })}
        </p>
      ) : null}
    </>
  )
}
