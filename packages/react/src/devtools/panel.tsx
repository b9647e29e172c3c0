import { type KeyboardEvent, useState } from 'react'
import { stateAfter } from './record/replay.ts'
import type { SessionRecorder } from './record/types.ts'
import { ReplayBar } from './replay-bar.tsx'
import { useRecording } from './use-recordings.ts'
import { ConnectionView } from './views/connection-view.tsx'
import { EventsView } from './views/events-view.tsx'
import { QuestionsView } from './views/questions-view.tsx'
import { TimingView } from './views/timing-view.tsx'

const VIEWS = { questions: 'Questions', events: 'Events', times: 'Times', connection: 'Connection' } as const
type View = keyof typeof VIEWS

/** The open panel. */
export function Panel(props: { id: string; recorders: readonly SessionRecorder[]; onClose: () => void }) {
  const { id, recorders, onClose } = props
  const [chosen, setChosen] = useState(0)
  const recorder = recorders[chosen] ?? recorders[0]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  return (
    <section id={id} className="hp-devtools-panel" aria-label="Holdpoint devtools" dir="ltr" onKeyDown={onKeyDown}>
      <header className="hp-devtools-header">
        {recorders.length > 1 ? (
          <label className="hp-devtools-label">
            Session
            <select value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
              {recorders.map(({ client }, index) => (
                <option key={`${client.sessionId} ${client.clientId}`} value={index}>
                  {client.sessionId}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <span>
            Session <bdi>{recorder?.client.sessionId ?? 'none'}</bdi>
          </span>
        )}
        <button type="button" className="hp-devtools-button" onClick={onClose}>
          Close
        </button>
      </header>
      {recorder ? <Session key={recorder.client.clientId} recorder={recorder} /> : <p>No client is being watched.</p>}
    </section>
  )
}

function Session({ recorder }: { recorder: SessionRecorder }) {
  const recording = useRecording(recorder)
  const [view, setView] = useState<View>('questions')
  const [at, setAt] = useState<number | null>(null)
  const { events } = recording
  const count = at === null ? events.length : Math.min(at, events.length)
  const isLive = count === events.length && at === null
  const state = isLive ? recording.state : stateAfter(recording, count)
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls */}
      <div role="group" aria-label="Views" className="hp-devtools-views">
        {Object.entries(VIEWS).map(([key, label]) => (
          <button
            key={key}
            type="button"
            className="hp-devtools-button"
            aria-pressed={view === key}
            onClick={() => setView(key as View)}
          >
            {label}
          </button>
        ))}
      </div>
      <ReplayBar recording={recording} count={count} isLive={isLive} onMove={setAt} onClear={recorder.clear} />
      <div className="hp-devtools-view">
        {view === 'questions' ? <QuestionsView recording={recording} state={state} isLive={isLive} /> : null}
        {view === 'events' ? <EventsView recording={recording} count={count} onMove={setAt} /> : null}
        {view === 'times' ? <TimingView recording={recording} /> : null}
        {view === 'connection' ? <ConnectionView recording={recording} state={state} /> : null}
      </div>
    </>
  )
}
