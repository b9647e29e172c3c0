import { say } from '@holdpoint/core/internal'
import { useState } from 'react'
import { CardButton } from '../../card/elements/button.tsx'
import { useCard } from '../../card/elements/card-context.ts'
import { classes } from '../../card/elements/part.tsx'
import { visible } from '../../wording/escape.ts'
import { type ControlProps, described } from '../values/types.ts'

/** Password managers are not to invent or store the key of another person, unless the host names what is asked for. */
const UNMANAGED = { autoComplete: 'off', 'data-1p-ignore': true, 'data-lpignore': 'true', 'data-bwignore': true }

/** A secret: hidden while it is typed, until the person asks to see it. */
export function SecretControl(props: ControlProps) {
  const { field, value, onChange, readOnly } = props
  const { slots, classNames, messages } = useCard()
  const [shown, setShown] = useState(false)
  const Input = slots.Input ?? 'input'
  const managed = field.autocomplete ? { autoComplete: field.autocomplete as 'current-password' } : UNMANAGED
  return (
    <div className="hp-secret">
      <Input
        {...described(props)}
        {...managed}
        className={classes('hp-input', classNames.input)}
        data-slot="input"
        type={shown ? 'text' : 'password'}
        spellCheck={false}
        dir="auto"
        placeholder={field.placeholder ? visible(field.placeholder) : undefined}
        value={typeof value === 'string' ? value : ''}
        readOnly={readOnly}
        onChange={(event) => onChange(event.target.value)}
      />
      <CardButton
        slotName="reveal"
        variant="quiet"
        aria-pressed={shown}
        aria-controls={props.controlId}
        aria-label={say(messages.revealSecret, { name: visible(field.label) })}
        onPress={() => setShown(!shown)}
      >
        {shown ? messages.hide : messages.show}
      </CardButton>
    </div>
  )
}
