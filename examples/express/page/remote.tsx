import { useEffect, useState } from 'react'
import type { Person } from './app.tsx'
import { type Part, partsOf } from './parts-of.ts'

interface Kept {
  messages: { role: string; text: string }[]
  toolUses: { toolName: string; output?: unknown }[]
}

/** A chat with an agent on another machine: parts come straight from it, and the back end keeps what it reports. */
export function Remote({ person }: { person: Person }) {
  const [sessionId] = useState(() => sessionOf(person))
  const [parts, setParts] = useState<readonly Part[]>([])
  const [from, setFrom] = useState('')
  const [kept, setKept] = useState<Kept | null>(null)
  const [message, setMessage] = useState('')
  const [error, setError] = useState('')

  const look = () =>
    fetch(`/remote/messages/${encodeURIComponent(sessionId)}`)
      .then((response) => (response.ok ? (response.json() as Promise<Kept>) : null))
      .then(setKept)
  useEffect(() => {
    void look()
    // Reports arrive a moment after the stream, each on its own.
    const timer = setInterval(look, 1_000)
    return () => clearInterval(timer)
  }, [sessionId])

  const send = async (text: string) => {
    setParts([])
    setError('')
    const started = await post('/remote/start', { sessionId, message: text })
    if (!started.ok) throw new Error('refused')
    const { streamUrl, streamToken } = (await started.json()) as { streamUrl: string; streamToken: string }
    setFrom(new URL(streamUrl).host)
    const stream = await post(streamUrl, { prompt: text }, streamToken)
    for await (const part of partsOf(stream)) setParts((known) => [...known, part])
  }

  return (
    <div className="page">
      <header>
        <strong>Holdpoint</strong>
        <span className="connection" data-status="open">
          {from ? `streamed from ${from}` : 'an agent on another machine'}
        </span>
        <span className="space" />
        <a href="/">The other chat</a>
      </header>
      <main>
        {kept?.messages.map((one, index) => (
          <p key={`${index.toString()} ${one.role}`} className={`bubble ${one.role === 'user' ? 'user' : 'agent'}`}>
            {one.text}
          </p>
        ))}
        {from || kept?.messages.length ? (
          <>
            <section className="tool" aria-label="Stream">
              <div className="tool-name">
                <code>stream</code>
                <span>{parts.length} parts</span>
              </div>
              <p className="bubble">{parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')}</p>
            </section>
            <section className="tool" aria-label="Kept by the back end">
              <div className="tool-name">
                <code>kept</code>
                <span>
                  by the back end: {kept?.messages.length ?? 0} messages, and calls of{' '}
                  {kept?.toolUses.map(({ toolName }) => toolName).join(', ') || 'no tool'}
                </span>
              </div>
            </section>
          </>
        ) : (
          <section className="welcome">
            <h1>An agent on another machine</h1>
            <p className="lead">
              Ask it something. Its words come directly from it to this page; the back end receives complete messages
              and tool calls, by a signed webhook, and stores them.
            </p>
          </section>
        )}
      </main>
      <footer>
        {error && <p role="alert">{error}</p>}
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void send(message).catch(() => setError('The agent cannot be reached.'))
            setMessage('')
          }}
        >
          <input
            className="control grow"
            aria-label="Message"
            placeholder="Ask the remote agent"
            value={message}
            onChange={(event) => setMessage(event.target.value)}
            required
          />
          <button type="submit" className="control primary">
            Send
          </button>
        </form>
      </footer>
    </div>
  )
}

function sessionOf(person: Person): string {
  const url = new URL(location.href)
  const named = url.searchParams.get('remote') || `${person.userId}-${crypto.randomUUID().slice(0, 8)}`
  url.searchParams.set('remote', named)
  history.replaceState(null, '', url)
  return named
}

const post = (url: string, body: unknown, token?: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
