import { say } from '@holdpoint/core/internal'
import { useState } from 'react'
import { useCard } from '../../card/elements/card-context.ts'
import { classes } from '../../card/elements/part.tsx'
import { ChoiceControl } from '../plain/choice-control.tsx'
import { hasOther, optionsOf, optionsWith } from '../values/options.ts'
import type { ControlProps } from '../values/types.ts'
import { OtherControl } from './other-control.tsx'

/** Several of many options: a searchable list that always shows the chosen ones. */
export function FilterControl(props: ControlProps) {
  const { field, controlId, value, readOnly } = props
  const { slots, classNames, messages } = useCard()
  const Input = slots.Input ?? 'input'
  const [text, setText] = useState('')
  const options = optionsOf(field)
  const chosen: readonly unknown[] = Array.isArray(value) ? value : []
  const found = optionsWith(text, options)
  const drawn = text ? options.filter((option) => found.includes(option) || chosen.includes(option.value)) : options
  const Choices = hasOther(field) ? OtherControl : ChoiceControl
  return (
    <div className="hp-filter" data-slot="search">
      <Input
        className={classes('hp-input', classNames.input)}
        data-slot="input"
        type="search"
        autoComplete="off"
        aria-label={messages.searchChoices}
        aria-controls={`${controlId}-list`}
        placeholder={messages.searchChoices}
        value={text}
        readOnly={readOnly}
        onChange={(event) => setText(event.target.value)}
        // Enter in a search never submits the form.
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      <p className="hp-about" aria-live="polite" data-slot="search-count">
        {text ? say(messages.choicesFound, { count: found.length }) : ''}
      </p>
      <div id={`${controlId}-list`} className="hp-scrolled">
        <Choices {...props} field={{ ...field, options: drawn } as typeof field} />
      </div>
    </div>
  )
}
