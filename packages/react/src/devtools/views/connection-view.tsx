import type { SessionState } from '@holdpoint/core'
import type { SessionRecording } from '../record/types.ts'

/** The connection, who is signed in, and how the connection changed. */
export function ConnectionView({ recording, state }: { recording: SessionRecording; state: SessionState }) {
  const { connection, you, cursor, clientId, clockOffset, runs } = state
  const facts: [string, string][] = [
    ['Status', connection.status],
    ['Attempts', String(connection.attempt)],
    ['Error', connection.error ? `${connection.error.code}: ${connection.error.message}` : 'none'],
    ['User', you?.userId ?? 'unknown'],
    ['Permissions', you?.can.join(', ') ?? 'unknown'],
    ['Client', clientId],
    ['Cursor', cursor ?? 'none'],
    ['Clock of the server', `${Math.round(clockOffset)} ms ahead`],
    ['Runs', [...runs.values()].map(({ runId, status }) => `${runId}: ${status}`).join(', ') || 'none'],
  ]
  const changes = recording.marks.filter(({ kind }) => kind === 'connection')
  return (
    <>
      <dl className="hp-devtools-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <ol className="hp-devtools-list" aria-label="Changes of the connection">
        {changes.map(({ at, value }) => (
          <li key={`${at} ${value}`}>
            <time>{new Date(at).toISOString().slice(11, 23)}</time> {value}
          </li>
        ))}
      </ol>
    </>
  )
}
