import type { Interaction, SessionState } from '@holdpoint/core'
import { useState } from 'react'
import { redact, secretFieldsOf } from '../record/redact.ts'
import type { SessionRecording } from '../record/types.ts'
import { Json } from './json.tsx'
import { PreviewCard } from './preview-card.tsx'

/** The states of a question in the order in which it may pass them. */
const STEPS = ['pending', 'submitting', 'answered'] as const
const ENDS = ['not_sent', 'expired', 'cancelled', 'superseded', 'failed']

interface QuestionsViewProps {
  recording: SessionRecording
  state: SessionState
  isLive: boolean
}

/** All questions of the session, with the state of each and the card as the user sees it. */
export function QuestionsView({ recording, state, isLive }: QuestionsViewProps) {
  const [chosen, setChosen] = useState<string>()
  const all = [...state.interactions.values()]
  const one = chosen === undefined ? undefined : state.interactions.get(chosen)
  if (all.length === 0) return <p>No question has been asked here.</p>
  return (
    <div className="hp-devtools-split">
      <ul className="hp-devtools-list">
        {all.map((each) => (
          <li key={each.interactionId}>
            <button
              type="button"
              className="hp-devtools-row"
              aria-pressed={each.interactionId === chosen}
              onClick={() => setChosen(each.interactionId)}
            >
              <bdi>{each.toolName}</bdi> <span className="hp-devtools-badge">{each.kind}</span>{' '}
              <span className="hp-devtools-badge" data-status={each.status}>
                {each.status}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {one ? <Question recording={recording} one={one} state={state} isLive={isLive} /> : <p>Choose a question.</p>}
    </div>
  )
}

function Question({ recording, one, state, isLive }: QuestionsViewProps & { one: Interaction }) {
  const isEnd = ENDS.includes(one.status)
  const steps = isEnd ? ['pending', one.status] : STEPS
  return (
    <div className="hp-devtools-detail">
      <ol className="hp-devtools-steps" aria-label="States">
        {steps.map((step) => (
          <li key={step} aria-current={one.status === step ? 'step' : undefined}>
            {step}
          </li>
        ))}
      </ol>
      <p>
        <code>{one.interactionId}</code>
        {one.deferred ? ' · deferred' : ''}
        {one.replaces === undefined ? '' : ` · replaces ${one.replaces}`}
        {one.problem ? ` · ${one.problem.code}` : ''}
      </p>
      <PreviewCard interaction={one} state={state} isLive={isLive} />
      <Json label="Request" value={redact(one.request, secretFieldsOf(recording.events))} />
    </div>
  )
}
