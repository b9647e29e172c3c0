import { useState } from 'react'
import { createRoot } from 'react-dom/client'
// The page of docs/express.md, as it stands there.
import { Chat } from './chat'

const CHATS = Array.from({ length: 10 }, (_, n) => `chat-${n + 1}`)
const TOOLS = ['delete_files', 'pay', 'patch'].map((name) => ({ id: `${name}-1`, name }))

function App() {
  const [id, setId] = useState(new URLSearchParams(location.search).get('chat') ?? CHATS[0])
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
        <Chat id={id ?? ''} calls={TOOLS} />
      </main>
    </>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(<App />)
