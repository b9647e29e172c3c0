import { type ReactNode, useId, useState } from 'react'
import { usePageWords } from '../settings/use-page-words.ts'
import { useSettings } from '../settings/use-settings.ts'
import type { ListView, Place } from './rows/rows.ts'

/**
 * Search, filter, order and groups: native controls, which phones and screen readers know. Where there is little room, one
 * button shows and hides them, so that the first question follows at once.
 */
export function Toolbar({
  view,
  place,
  hasHistory,
  onChange,
}: {
  view: ListView
  place: Place
  hasHistory: boolean
  onChange: (view: ListView) => void
}): ReactNode {
  const words = usePageWords()
  const { slots } = useSettings()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const Input = slots.Input ?? 'input'
  const active = [view.search !== '', view.show !== 'waiting'].filter(Boolean).length
  return (
    <>
      <button
        type="button"
        className="hp-button hp-inbox-fold"
        data-slot="inbox-fold"
        aria-expanded={isOpen}
        aria-controls={`${id}tools`}
        onClick={() => setOpen(!isOpen)}
      >
        {active > 0 ? `${words.tools} · ${active}` : words.tools}
      </button>
      <div className="hp-inbox-tools" id={`${id}tools`} data-slot="inbox-tools" data-open={isOpen || undefined}>
        <div className="hp-inbox-tool hp-inbox-search">
          <label className="hp-inbox-label" htmlFor={`${id}search`}>
            {words.search}
          </label>
          <Input
            id={`${id}search`}
            type="search"
            className="hp-input"
            value={view.search}
            onChange={({ currentTarget }) => onChange({ ...view, search: currentTarget.value })}
          />
        </div>
        <Choice
          label={words.show}
          value={view.show}
          onChange={(show) => onChange({ ...view, show })}
          options={{
            waiting: place === 'history' ? words.showAll : words.showWaiting,
            ...{ approvals: words.showApprovals, forms: words.showForms },
            ...{ accounts: words.showAccounts, high: words.showHighRisk },
            ...(place === 'waiting' && { due: words.showDue }),
            ...(!hasHistory && { settled: words.showSettled }),
          }}
        />
        <Choice
          label={words.sort}
          value={view.sort}
          onChange={(sort) => onChange({ ...view, sort })}
          options={{
            ...{ oldest: words.sortOldest, newest: words.sortNewest },
            ...(place === 'waiting' && { due: words.sortDue }),
            risk: words.sortRisk,
          }}
        />
        <Choice
          label={words.group}
          value={view.group}
          onChange={(group) => onChange({ ...view, group })}
          options={{
            ...{ none: words.groupNone, agent: words.groupAgent },
            ...{ chat: words.groupChat, tool: words.groupTool },
          }}
        />
      </div>
    </>
  )
}

/** Chooses between the questions that wait and the history: native radio buttons, which are one tab stop. */
export function Places({ place, onChange }: { place: Place; onChange: (place: Place) => void }): ReactNode {
  const words = usePageWords()
  const name = useId()
  return (
    <div className="hp-inbox-places" data-slot="inbox-places" role="radiogroup" aria-label={words.inboxPlaces}>
      {(['waiting', 'history'] as const).map((one) => (
        <label key={one} className="hp-inbox-place">
          <input type="radio" name={name} checked={place === one} onChange={() => onChange(one)} />
          {one === 'history' ? words.history : words.placeWaiting}
        </label>
      ))}
    </div>
  )
}

function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: Partial<Record<Value, string>>
  onChange: (value: Value) => void
}) {
  const { slots } = useSettings()
  const id = useId()
  const Select = slots.Select ?? 'select'
  return (
    <div className="hp-inbox-tool">
      <label className="hp-inbox-label" htmlFor={id}>
        {label}
      </label>
      <Select
        id={id}
        className="hp-input hp-select"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
      >
        {Object.entries(options as Record<string, string>).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  )
}
