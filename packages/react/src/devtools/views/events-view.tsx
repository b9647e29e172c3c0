import { useState } from 'react'
import { redact, secretFieldsOf } from '../record/redact.ts'
import type { RecordedEvent, SessionRecording } from '../record/types.ts'
import { Json } from './json.tsx'

interface EventsViewProps {
  recording: SessionRecording
  count: number
  onMove: (count: number) => void
}

/** Rows on screen at the same time; the filter finds the others. */
const ROWS = 200

/** The event log, newest last, with a filter over types, ids and contents. */
export function EventsView({ recording, count, onMove }: EventsViewProps) {
  const { events } = recording
  const [filter, setFilter] = useState('')
  const secrets = secretFieldsOf(events)
  const rows = events.map((one, index) => ({ ...one, index, event: redact(one.event, secrets) }))
  const words = filter.trim().toLowerCase()
  const found = words === '' ? rows : rows.filter((row) => JSON.stringify(row.event).toLowerCase().includes(words))
  const shown = found.slice(-ROWS)
  return (
    <>
      <label className="hp-devtools-label">
        Filter events
        <input type="search" value={filter} onChange={(event) => setFilter(event.target.value)} />
      </label>
      <p role="status">
        {`${found.length} of ${events.length} events. Choose one to replay to it`}
        {shown.length < found.length ? `, the last ${ROWS} are shown` : ''}
      </p>
      <ol className="hp-devtools-list">
        {shown.map(({ index, event, at }) => (
          <li key={index} className="hp-devtools-event" data-replayed={index < count}>
            <button
              type="button"
              className="hp-devtools-row"
              aria-current={index + 1 === count ? 'step' : undefined}
              onClick={() => onMove(index + 1)}
            >
              <span className="hp-devtools-number">{index + 1}</span> <code>{event.type}</code>{' '}
              <bdi>{aboutOf(event)}</bdi> <time>{timeOf(at)}</time>
            </button>
            <Json label="Event" value={event} />
          </li>
        ))}
      </ol>
    </>
  )
}

const aboutOf = (event: RecordedEvent['event']) =>
  [event.toolName ?? event.toolCallId, event.action ?? event.status ?? event.reason]
    .filter((part) => typeof part === 'string')
    .join(' · ')

const timeOf = (at: number) => new Date(at).toISOString().slice(11, 23)
