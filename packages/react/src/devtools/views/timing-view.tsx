import { type QuestionTiming, timingsOf } from '../record/latency.ts'
import type { SessionRecording } from '../record/types.ts'

/** How long each step of a question took. */
export function TimingView({ recording }: { recording: SessionRecording }) {
  const timings = timingsOf(recording)
  if (timings.length === 0) return <p>No question was asked since the recording began.</p>
  return (
    <div className="hp-devtools-table">
      <table>
        <caption>Times of each question, on the clock of this page</caption>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Asked → shown</th>
            <th scope="col">Shown → answered</th>
            <th scope="col">Answered → resumed</th>
          </tr>
        </thead>
        <tbody>
          {timings.map((timing) => (
            <Row key={timing.interactionId} timing={timing} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ timing: { toolName, asked, shown, answered, resumed } }: { timing: QuestionTiming }) {
  return (
    <tr>
      <th scope="row">
        <bdi>{toolName}</bdi>
      </th>
      <td>{between(asked, shown)}</td>
      <td>{between(shown ?? asked, answered)}</td>
      <td>{between(answered, resumed)}</td>
    </tr>
  )
}

function between(from: number | undefined, to: number | undefined): string {
  if (from === undefined || to === undefined) return '–'
  const ms = Math.max(0, Math.round(to - from))
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`
}
