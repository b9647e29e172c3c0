import { createHoldpointClient, type HoldpointClient, sse, websocket } from '@holdpoint/core'
import { HoldpointProvider } from '@holdpoint/react'
import { useEffect, useMemo, useState } from 'react'
import { Chat } from './chat.tsx'
import { Login } from './login.tsx'
import { Remote } from './remote.tsx'

export type Link = 'sse' | 'websocket'
export interface Person {
  userId: string
  name: string
}

const integrations = { slack: { name: 'Slack', host: 'slack.com' }, gmail: { name: 'Gmail', host: 'google.com' } }

export function App() {
  const [person, setPerson] = useState<Person | null | undefined>()
  const [link, setLink] = useState<Link>('sse')
  useEffect(() => {
    void fetch('/api/me')
      .then((response) => response.json() as Promise<Person | null>)
      .then(setPerson)
  }, [])
  if (person === undefined) return null
  if (person === null) return <Login onLogin={setPerson} />
  if (new URL(location.href).searchParams.has('remote')) return <Remote person={person} />
  return <Signed key={`${person.userId} ${link}`} person={person} link={link} onLink={setLink} onLogin={setPerson} />
}

interface SignedProps {
  person: Person
  link: Link
  onLink(link: Link): void
  onLogin(person: Person | null): void
}

function Signed({ person, link, onLink, onLogin }: SignedProps) {
  const client = useClient(sessionOf(person), link)
  if (!client) return null
  return (
    <HoldpointProvider client={client} integrations={integrations}>
      <Chat person={person} link={link} onLink={onLink} onLogin={onLogin} />
    </HoldpointProvider>
  )
}

/** The session is in the address, so that a second tab, or another person, can be sent there. */
function sessionOf(person: Person): string {
  const url = new URL(location.href)
  const named = url.searchParams.get('session')
  if (named) return named
  const made = `${person.userId}-${crypto.randomUUID().slice(0, 8)}`
  url.searchParams.set('session', made)
  history.replaceState(null, '', url)
  return made
}

function useClient(sessionId: string, link: Link): HoldpointClient | null {
  const transport = useMemo(() => (link === 'sse' ? sse : websocket)({ url: '/holdpoint' }), [link])
  const [client, setClient] = useState<HoldpointClient | null>(null)
  useEffect(() => {
    let made: HoldpointClient | undefined
    let left = false
    // The session of a new chat is created before its page listens. A user who opens another user's chat gets the
    // refusal there.
    const listen = () => {
      if (left) return
      made = createHoldpointClient({ sessionId, transport, history: 'log' })
      setClient(made)
    }
    void fetch(`/api/chat/${encodeURIComponent(sessionId)}`, { method: 'PUT' }).then(listen, listen)
    return () => {
      left = true
      made?.close()
    }
  }, [sessionId, transport])
  return client
}
