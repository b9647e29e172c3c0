import { useCard } from '../../card/elements/card-context.ts'
import { classes } from '../../card/elements/part.tsx'
import { visible } from '../../wording/escape.ts'
import { OptionText } from '../values/option-text.tsx'
import { optionsOf } from '../values/options.ts'
import { type ControlProps, described } from '../values/types.ts'

/** Native controls: a select opens the phone's own list, radio buttons bring their arrow keys with them. */
export function ChoiceControl(props: ControlProps) {
  const { field, value, onChange, readOnly } = props
  if (field.type === 'checkbox') {
    return (
      <input
        {...described(props)}
        type="checkbox"
        data-slot="checkbox"
        checked={value === true}
        disabled={readOnly}
        onChange={(event) => onChange(event.target.checked)}
      />
    )
  }
  return field.type === 'select' ? <SelectControl {...props} /> : <OptionList {...props} />
}

function SelectControl(props: ControlProps) {
  const { field, value, onChange, readOnly } = props
  const { slots, classNames, messages } = useCard()
  const Select = slots.Select ?? 'select'
  return (
    <Select
      {...described(props)}
      className={classes('hp-input hp-select', classNames.select)}
      data-slot="select"
      value={typeof value === 'string' ? value : ''}
      disabled={readOnly}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{messages.choose}</option>
      {optionsOf(field).map((option) => (
        <option key={option.value} value={option.value}>
          {visible(option.label)}
        </option>
      ))}
    </Select>
  )
}

function OptionList({ field, controlId, value, onChange, readOnly, problems }: ControlProps) {
  const several = field.type === 'multiselect'
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value]
  const toggle = (option: string, on: boolean) => {
    if (!several) return onChange(option)
    const others = chosen.filter((each) => each !== option)
    onChange(on ? [...others, option] : others)
  }
  return (
    <div className="hp-options">
      {optionsOf(field).map((option, index) => (
        <label key={option.value} className="hp-choice" data-checked={chosen.includes(option.value) || undefined}>
          <input
            // The first one carries the field's id: that is where a summary's link leads.
            id={index === 0 ? controlId : undefined}
            name={several ? undefined : controlId}
            type={several ? 'checkbox' : 'radio'}
            data-slot={several ? 'checkbox' : 'radio'}
            checked={chosen.includes(option.value)}
            disabled={readOnly}
            aria-invalid={problems?.length ? true : undefined}
            onChange={(event) => toggle(option.value, event.target.checked)}
          />
          <span>
            <OptionText option={option} />
          </span>
        </label>
      ))}
    </div>
  )
}
