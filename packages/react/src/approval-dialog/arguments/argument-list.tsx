import { say } from '@holdpoint/core/internal'
import type { EditableValue } from '@holdpoint/core/internal/editing'
import { useEffect, useRef } from 'react'
import { CardButton } from '../../card/elements/button.tsx'
import { useCard } from '../../card/elements/card-context.ts'
import { visible } from '../../wording/escape.ts'
import { ArgumentField } from './argument-field.tsx'
import type { FormProps, Place } from './argument-fields.tsx'

type List = Extract<EditableValue, { kind: 'list' }>

/** The entries of a list: each can be changed and removed; to texts and numbers others can be added. */
export function ArgumentList({
  list,
  place,
  label,
  ...props
}: FormProps & { list: List; place: Place; label: string }) {
  const { messages } = useCard()
  const box = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(undefined)
  useEffect(() => {
    // The control that had focus has gone, or a new one is there for it.
    const found = wanted.current && box.current?.querySelector<HTMLElement>(wanted.current)
    wanted.current = undefined
    if (found) found.focus()
  })
  const focus = (slot: string, index: number) => {
    const last = `:is([data-item="${index}"], [data-item]:last-of-type)`
    wanted.current = index < 0 ? '[data-slot="add-item"]' : `${last} ${slot}`
  }
  return (
    <div className="hp-argument-list" ref={box}>
      {list.items.map((item, index) => (
        <div key={index} data-item={index} data-kind={item.kind}>
          <ArgumentField
            {...props}
            value={item}
            place={{ at: [...place.at, index], keys: [...place.keys, index] }}
            label={`${label} ${index + 1}`}
          />
          <CardButton
            slotName="remove-item"
            variant="quiet"
            aria-label={say(messages.removeFile, { name: visible(nameOf(item)) || `${label} ${index + 1}` })}
            onPress={() => {
              focus('[data-slot="remove-item"]', Math.min(index, list.items.length - 2))
              props.change([...place.at, index], undefined)
            }}
          >
            <span aria-hidden="true">×</span>
          </CardButton>
        </div>
      ))}
      {list.of ? (
        <CardButton
          slotName="add-item"
          variant="quiet"
          onPress={() => {
            focus(':is(input, textarea)', list.items.length)
            const added = list.of === 'text' ? { kind: 'text' as const, text: '' } : numberToAdd
            props.change([...place.at, list.items.length], added)
          }}
        >
          {messages.addItem}
        </CardButton>
      ) : null}
    </div>
  )
}

/** Empty: until a number is typed, the arguments cannot be sent. */
const numberToAdd: EditableValue = { kind: 'number', value: 0, typed: '' }

/** The name of an entry on the button that removes it. */
function nameOf(item: EditableValue): string {
  if (item.kind === 'text' || item.kind === 'date') return item.text.slice(0, 80)
  return item.kind === 'number' ? (item.typed ?? String(item.value)) : ''
}
