import { sse } from '@holdpoint/core'
import { HoldpointProvider, ToolInteraction, useConnectionState } from '@holdpoint/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
// The page of docs/express.md and the return page of docs/accounts.md, unchanged.
import { Chat } from './chat'
import { Returned } from './returned'

const CHATS = Array.from({ length: 10 }, (_, n) => `chat-${n + 1}`)
const TOOLS = ['delete_files', 'pay', 'patch', 'work', 'write', 'post', 'later'].map((name) => ({
  id: `${name}-1`,
  name,
}))
const query = new URLSearchParams(location.search)
/** Where Holdpoint is, if this page was loaded from another origin. */
const elsewhere = query.get('server')

function App() {
  const [id, setId] = useState(query.get('chat') ?? 'chat-1')
  return (
    <>
      <nav>
        {CHATS.map((chat) => (
          <button type="button" key={chat} aria-current={chat === id} onClick={() => setId(chat)}>
            {chat}
          </button>
        ))}
      </nav>
      <main>
        <h1>{id}</h1>
        {elsewhere ? <ChatOf server={elsewhere} id={id} /> : <Chat id={id} calls={TOOLS} />}
      </main>
    </>
  )
}

function ChatOf({ server, id }: { server: string; id: string }) {
  const transport = sse({ url: `${server}/holdpoint`, credentials: 'include' })
  return (
    <HoldpointProvider options={{ sessionId: id, transport }}>
      <Returned />
      <Connection />
      {TOOLS.map((call) => (
        <section key={call.id}>
          <h3>{call.name}</h3>
          <ToolInteraction toolCallId={call.id} />
        </section>
      ))}
    </HoldpointProvider>
  )
}

function Connection() {
  const { status, error } = useConnectionState()
  return status === 'open' || !error ? null : <p role="alert">{error.message}</p>
}

createRoot(document.getElementById('root') as HTMLElement).render(<App />)
