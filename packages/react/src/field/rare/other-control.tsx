import type { FieldSpec } from '@holdpoint/core/internal'
import { useState } from 'react'
import type { ControlProps } from '../values/types.ts'
import { useKit } from './kit.ts'

/**
 * Options, and one answer in the person's own words. Words that name an option become that option, so that the record
 * shows what the person has read.
 */
export function OtherControl(props: ControlProps) {
  const { ChoiceControl, OTHER_LENGTH, card, classes, described, optionNamed, optionsOf, say, visible } = useKit()
  const { field, controlId, value, onChange, readOnly } = props
  const { slots, classNames, messages } = card
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
