import { type FieldSpec, say } from '@holdpoint/core/internal'
import { OTHER_LENGTH } from '@holdpoint/core/internal/forms'
import { useState } from 'react'
import { useCard } from '../../card/elements/card-context.ts'
import { classes } from '../../card/elements/part.tsx'
import { visible } from '../../wording/escape.ts'
import { ChoiceControl } from '../plain/choice-control.tsx'
import { optionNamed, optionsOf } from '../values/options.ts'
import { type ControlProps, described } from '../values/types.ts'

/**
 * Options, and one answer in the person's own words. Words that name an option become that option, so that the record
 * shows what the person has read.
 */
export function OtherControl(props: ControlProps) {
  const { field, controlId, value, onChange, readOnly } = props
  const { slots, classNames, messages } = useCard()
  const Input = slots.Input ?? 'input'
  const options = optionsOf(field)
  const several = field.type === 'multiselect'
  const isOption = (one: unknown) => options.some((option) => option.value === one)
  const chosen = [value].flat().filter((one): one is string => typeof one === 'string' && one !== '')
  const own = chosen.find((one) => !isOption(one)) ?? ''
  const [opened, setOpened] = useState(false)
  const open = own !== '' || (opened && (several || chosen.length === 0))
  const known = chosen.filter(isOption)
  const write = (text: string) => onChange(several ? [...known, ...(text === '' ? [] : [text])] : text)
  const settle = () => {
    const option = optionNamed(own, options)
    if (!option) return
    setOpened(false)
    onChange(several ? [...new Set([...known, option.value])] : option.value)
  }
  return (
    <div className="hp-other" data-slot="other">
      <ChoiceControl
        {...props}
        field={field.type === 'select' ? ({ ...field, type: 'radio' } as FieldSpec) : field}
        value={several ? known : (known[0] ?? '')}
        onChange={(next) => {
          if (!several) setOpened(false)
          onChange(several && own ? [...(next as string[]), own] : next)
        }}
      />
      <label className="hp-choice" data-checked={open || undefined}>
        <input
          name={several ? undefined : controlId}
          type={several ? 'checkbox' : 'radio'}
          data-slot={several ? 'checkbox' : 'radio'}
          checked={open}
          disabled={readOnly}
          onChange={(event) => {
            setOpened(event.target.checked)
            write('')
          }}
        />
        <span>{messages.other}</span>
      </label>
      {open ? (
        <Input
          {...described(props)}
          id={`${controlId}-other`}
          name={`${field.id}.other`}
          className={classes('hp-input', classNames.input)}
          data-slot="input"
          type="text"
          dir="auto"
          maxLength={OTHER_LENGTH}
          aria-label={say(messages.otherFor, { name: visible(field.label) })}
          value={own}
          readOnly={readOnly}
          onChange={(event) => {
            setOpened(true)
            write(event.target.value)
          }}
          onBlur={settle}
        />
      ) : null}
    </div>
  )
}
