import { useState } from 'react'
import { recordingAsCode } from './record/recording-as-code.ts'
import type { SessionRecording } from './record/types.ts'

interface ReplayBarProps {
  recording: SessionRecording
  count: number
  isLive: boolean
  onMove: (count: number | null) => void
  onClear: () => void
}

/** Moves the panel to any recorded event, and copies the recording. */
export function ReplayBar({ recording, count, isLive, onMove, onClear }: ReplayBarProps) {
  const { events, dropped } = recording
  const [copied, setCopied] = useState('')
  const [fixture, setFixture] = useState<string>()
  const copy = async () => {
    const text = recordingAsCode(recording, count)
    try {
      await navigator.clipboard.writeText(text)
      setCopied('Copied')
      setFixture(undefined)
    } catch {
      setCopied('The browser does not allow copying. Select the text below.')
      setFixture(text)
    }
  }
  return (
    <div className="hp-devtools-replay">
      <label className="hp-devtools-label">
        {`After event ${count} of ${events.length}`}
        <input
          type="range"
          min={0}
          max={events.length}
          value={count}
          disabled={events.length === 0}
          onChange={(event) => onMove(Number(event.target.value))}
        />
      </label>
      <button type="button" className="hp-devtools-button" aria-pressed={isLive} onClick={() => onMove(null)}>
        Live
      </button>
      <button type="button" className="hp-devtools-button" onClick={() => void copy()}>
        Copy as fixture
      </button>
      <button
        type="button"
        className="hp-devtools-button"
        onClick={() => {
          onMove(null)
          onClear()
        }}
      >
        Clear
      </button>
      <span role="status">{copied}</span>
      {dropped > 0 ? <span>{`${dropped} older events are not kept.`}</span> : null}
      {fixture === undefined ? null : (
        <textarea className="hp-devtools-fixture" aria-label="Fixture" readOnly rows={6} value={fixture} />
      )}
    </div>
  )
}
