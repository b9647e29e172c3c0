import type { DateRange } from '@holdpoint/core/internal'
import { useCard } from '../../card/elements/card-context.ts'
import { classes } from '../../card/elements/part.tsx'
import { type ControlProps, described } from '../values/types.ts'

/** Two days in native controls, which speak the reader's language and open the phone's own calendar. */
export function RangeControl(props: ControlProps) {
  const { field, controlId, value, onChange, readOnly } = props
  const { slots, classNames, messages } = useCard()
  const Input = slots.Input ?? 'input'
  const { from = '', to = '' } = (typeof value === 'object' && value !== null ? value : {}) as Partial<DateRange>
  const { min, max } = field.type === 'daterange' ? field : {}
  const shared = {
    ...described(props),
    className: classes('hp-input', classNames.input),
    'data-slot': 'input' as const,
    type: 'date' as const,
    readOnly,
  }
  return (
    <div className="hp-range">
      <label htmlFor={controlId}>
        <span className="hp-about">{messages.rangeFrom}</span>
        <Input
          {...shared}
          name={`${field.id}.from`}
          min={min}
          max={max}
          value={from}
          onChange={(event) => onChange({ from: event.target.value, to })}
        />
      </label>
      <label htmlFor={`${controlId}-to`}>
        <span className="hp-about">{messages.rangeTo}</span>
        <Input
          {...shared}
          id={`${controlId}-to`}
          name={`${field.id}.to`}
          min={from || min}
          max={max}
          value={to}
          onChange={(event) => onChange({ from, to: event.target.value })}
        />
      </label>
    </div>
  )
}
