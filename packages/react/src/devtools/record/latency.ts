import type { RecordedEvent, SessionRecording } from './types.ts'

/** When each step of one question happened, in milliseconds of the page's clock; a step that did not happen is absent. */
export interface QuestionTiming {
  readonly interactionId: string
  readonly toolName: string
  readonly asked: number
  readonly shown?: number
  readonly answered?: number
  readonly resumed?: number
}

/** Events that say that the tool continues. */
const RESUMES: ReadonlySet<string> = new Set(['tool_call_update', 'tool_call_complete', 'run_status'])
const ASKS: ReadonlySet<string> = new Set(['interaction_request', 'auth_needed'])
const ANSWERS: ReadonlySet<string> = new Set(['interaction_response', 'auth_result'])

/** Measures each recorded question: asked → shown → answered → resumed. */
export function timingsOf({ events, marks }: SessionRecording): QuestionTiming[] {
  return events.flatMap(({ event, at }, index) => {
    if (!ASKS.has(event.type)) return []
    const interactionId = String(event.interactionId)
    const rest = events.slice(index + 1)
    const shown = marks.find(({ kind, value }) => kind === 'shown' && value === interactionId)?.at
    const answered = rest.findIndex(({ event }) => ANSWERS.has(event.type) && event.interactionId === interactionId)
    const resumed = answered < 0 ? undefined : rest.slice(answered + 1).find((one) => resumes(one, event))
    return [
      {
        interactionId,
        toolName: String(event.toolName),
        asked: at,
        ...(shown !== undefined && { shown }),
        ...(answered >= 0 && { answered: rest[answered]?.at ?? at }),
        ...(resumed && { resumed: resumed.at }),
      },
    ]
  })
}

function resumes({ event }: RecordedEvent, asked: RecordedEvent['event']): boolean {
  if (!RESUMES.has(event.type)) return false
  if (event.type === 'run_status') return event.status === 'running' && event.runId === asked.runId
  return event.toolCallId === asked.toolCallId
}
