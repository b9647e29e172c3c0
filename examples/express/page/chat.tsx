import { isOpen } from '@holdpoint/core'
import {
  ToolInteraction,
  useAttention,
  useAuthReturn,
  useConnectionState,
  useHoldpointClient,
  useInteractionMode,
  useInteractions,
  useInteractionsOutOfView,
  useToolCall,
} from '@holdpoint/react'
import { useState } from 'react'
import type { Link, Person } from './app.tsx'
import { Composer } from './composer.tsx'
import { login } from './login.tsx'
import { useOutbox } from './outbox.ts'
import { type Entry, useTranscript } from './transcript.ts'
import { useFollowEnd } from './use-follow-end.ts'

interface ChatProps {
  person: Person
  link: Link
  onLink(link: Link): void
  onLogin(person: Person): void
}

export function Chat({ person, link, onLink, onLogin }: ChatProps) {
  const client = useHoldpointClient()
  const entries = useTranscript(client)
  const [message, setMessage] = useState('')
  const outbox = useOutbox(setMessage)
  useAttention()
  const { text, count, jumpToNext } = useInteractionsOutOfView()
  useAuthReturn()
  const conversation = useFollowEnd(entries.length + outbox.unsent.length)

  return (
    <div className="page">
      <header>
        <strong>Holdpoint</strong>
        {entries.length > 0 && <Connection />}
        <span className="space" />
        <Mode />
        <span className="choices">
          <label>
            <span className="hidden">Transport</span>
            <select className="control" value={link} onChange={(event) => onLink(event.target.value as Link)}>
              <option value="sse">SSE</option>
              <option value="websocket">WebSocket</option>
            </select>
          </label>
          <label>
            <span className="hidden">Person</span>
            <select
              className="control"
              value={person.userId}
              onChange={(event) => void login(event.target.value).then(onLogin)}
            >
              <option value="ada">Ada</option>
              <option value="grace">Grace</option>
            </select>
          </label>
        </span>
      </header>
      <main ref={conversation}>
        {entries.length + outbox.unsent.length === 0 && <Welcome />}
        {entries.map((entry) => (
          <Line key={entry.id} entry={entry} />
        ))}
        {outbox.unsent.map(({ id, text }) => (
          <div key={id} className="unsent">
            <p className="bubble user">{text}</p>
            <span role="status">Not sent yet. It is sent when the connection is back.</span>
          </div>
        ))}
      </main>
      <footer>
        {count > 0 && (
          <button type="button" className="control waiting" onClick={jumpToNext}>
            {text}
          </button>
        )}
        <Composer message={message} onMessage={setMessage} onSend={outbox.send} error={outbox.error} />
      </footer>
    </div>
  )
}

function Welcome() {
  return (
    <section className="welcome">
      <h1>An agent that asks</h1>
      <p className="lead">
        Type one of the words below. Answer here, in a second tab, or after you stopped the server and started it again:
        the agent continues once.
      </p>
      <p className="lead">
        <a href="?remote">An agent on another machine</a> streams straight to the page.
      </p>
    </section>
  )
}

function Line({ entry }: { entry: Entry }) {
  if (entry.kind === 'tool') return <ToolLine {...entry} />
  return <p className={`bubble ${entry.kind}`}>{entry.text}</p>
}

function ToolLine({ toolCallId, toolName }: Entry & { kind: 'tool' }) {
  const call = useToolCall(toolCallId)
  const question = useInteractions().findLast((one) => one.toolCallId === toolCallId && !one.replacedBy)
  const asks = question !== undefined && isOpen(question)
  const left = question?.status === 'superseded'
  const state = asks ? 'asking' : call?.status === 'completed' && !left ? 'done' : undefined
  const words = asks ? (question.deferred ? 'you can still answer' : 'waiting for you') : left ? 'not done' : undefined
  return (
    <section className="tool" aria-label={toolName} data-state={state}>
      <div className="tool-name">
        <code>{toolName}</code>
        <span>{words ?? (call ? (states[call.status] ?? call.status) : '')}</span>
      </div>
      <ToolInteraction toolCallId={toolCallId} />
      {call && call.logs.length > 0 && (
        <details>
          <summary>Log ({call.logs.length})</summary>
          <pre>{call.logs.join('\n')}</pre>
        </details>
      )}
    </section>
  )
}

const states: Readonly<Record<string, string>> = {
  running: 'running',
  completed: 'done',
  refused: 'not done',
  declined: 'not done',
  error: 'failed',
  cancelled: 'stopped',
}

function Connection() {
  const { status } = useConnectionState()
  return (
    <span className="connection" data-status={status}>
      {status === 'open' ? 'live' : status}
    </span>
  )
}

function Mode() {
  const { enabled, setEnabled } = useInteractionMode()
  return (
    <label className="mode">
      <input type="checkbox" checked={enabled} onChange={(event) => setEnabled(event.target.checked)} />
      <span>Ask me here</span>
    </label>
  )
}
