import { type FieldOption, say } from '@holdpoint/core/internal'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useCard } from '../../card/elements/card-context.ts'
import { classes } from '../../card/elements/part.tsx'
import { visible } from '../../wording/escape.ts'
import { OptionText } from '../values/option-text.tsx'
import { hasOther, optionNamed, optionsOf, optionsWith } from '../values/options.ts'
import { type ControlProps, described } from '../values/types.ts'

/** The maximum number of rendered options. Typing more letters finds the others. */
const DRAWN = 100

/**
 * One of many options, found by typing: the combobox of the ARIA patterns, which Radix does not have. Its list is part
 * of the page instead of lying over it, so that no card, larger view or phone keyboard cuts it off. Text that names no
 * option stays as it was typed, and the validator names the problem.
 */
export function SearchControl(props: ControlProps) {
  const { field, controlId, value, onChange, readOnly } = props
  const { slots, classNames, messages } = useCard()
  const Input = slots.Input ?? 'input'
  const options = optionsOf(field)
  const given = typeof value === 'string' ? value : ''
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(-1)
  const list = useRef<HTMLDivElement>(null)
  const chosen = options.find((option) => option.value === given)
  // While the list is open, the field shows the typed text; afterwards the name of the chosen option.
  const open = typed !== undefined && !readOnly
  const text = typed ?? (chosen ? visible(chosen.label) : given)
  const found = open ? optionsWith(chosen && typed === chosen.label ? '' : typed, options) : []
  const drawn = found.slice(0, DRAWN)
  const current = drawn[active]
  const optionId = (index: number) => `${controlId}-option-${index}`

  useEffect(() => {
    if (active >= 0) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const type = (next: string) => {
    setTyped(next)
    setActive(-1)
    const own = hasOther(field) ? next.trim() : next
    onChange(optionNamed(next, options)?.value ?? own)
  }
  const choose = (option: FieldOption) => {
    onChange(option.value)
    setTyped(undefined)
    setActive(-1)
  }
  const close = () => {
    setTyped(undefined)
    setActive(-1)
  }
  const show = () => {
    if (!open) setTyped(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      show()
      const last = (open ? drawn.length : Math.min(options.length, DRAWN)) - 1
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive(active + step > last ? 0 : active + step < 0 ? last : active + step)
    } else if (event.key === 'Enter' && open) {
      // Enter chooses an option. It submits the form only if the list is closed.
      event.preventDefault()
      const only = drawn.length === 1 ? drawn[0] : undefined
      if (current ?? only) choose((current ?? only)!)
      else close()
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }
  return (
    <div className="hp-search" data-slot="search">
      <Input
        {...described(props, open && 'found')}
        className={classes('hp-input', classNames.input)}
        data-slot="input"
        type="text"
        role="combobox"
        aria-expanded={open}
        aria-controls={`${controlId}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && current ? optionId(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        placeholder={visible(field.placeholder ?? messages.searchChoices)}
        value={text}
        readOnly={readOnly}
        onChange={(event) => type(event.target.value)}
        onClick={show}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <p className="hp-about" id={`${controlId}-found`} aria-live="polite" data-slot="search-count">
        {open ? say(messages.choicesFound, { count: found.length }) : ''}
      </p>
      <div
        ref={list}
        role="listbox"
        id={`${controlId}-list`}
        aria-label={visible(field.label)}
        className="hp-listbox"
        hidden={!open || drawn.length === 0}
      >
        {drawn.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps focus.
          // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which names the active option.
          <div
            key={option.value}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            className="hp-option"
            data-chosen={option.value === given || undefined}
            // The field keeps the focus, because a press that moves it would close the list.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            <OptionText option={option} />
          </div>
        ))}
      </div>
    </div>
  )
}
