import { join } from 'node:path'
import { build } from 'esbuild'
import { SOURCE } from '../../../../../scripts/published.ts'

const REACT = join(import.meta.dirname, '../../../../react')

/** The app's page: what a team has with `useChat`, and our two lines in it. `?api=`, `?id=` and `?buttons` choose. */
const app = `
import { useChat } from '@ai-sdk/react'
import { createHoldpointClient, sse } from '@holdpoint/core'
import { HoldpointProvider } from '@holdpoint/react'
import { HoldpointPart, UnplacedInteractions, useHoldpointChat } from '@holdpoint/react/ai-sdk'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const query = new URLSearchParams(location.search)
const id = query.get('id') ?? 'chat'
const api = query.get('api') ?? '/api/chat'
const elsewhere = query.has('elsewhere')
const saved = async () => (await fetch('/api/messages?id=' + id)).json()

function Chat({ chat, children, part }) {
  return (
    <main data-status={chat.status}>
      {chat.messages.map((message) => (
        <article key={message.id} data-role={message.role}>
          {message.parts.map((one, index) => one.type === 'text' ? <p key={index}>{one.text}</p> : part(one, message, index))}
        </article>
      ))}
      {children}
      <form onSubmit={(event) => { event.preventDefault(); void chat.sendMessage({ text: event.target.say.value }); event.target.reset() }}>
        <input name="say" aria-label="Message" />
      </form>
    </main>
  )
}

function Buttons({ part, chat }) {
  if (part.state !== 'approval-requested') return null
  const say = (approved) => () => void chat.addToolApprovalResponse({ id: part.approval.id, approved, ...(approved ? {} : { reason: 'own reason' }) })
  return <span><button onClick={say(true)}>Own yes</button><button onClick={say(false)}>Own no</button></span>
}

function Plain({ messages }) {
  const chat = useChat({ id, messages, transport, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses })
  return <Chat chat={chat} part={(part, _, index) => <Buttons key={index} part={part} chat={chat} />} />
}

function Ours({ messages }) {
  const raw = useChat({ id, messages, transport, ...(query.has('auto') ? { sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses } : {}) })
  const chat = useHoldpointChat(raw, elsewhere ? { onContinuedElsewhere: async () => { window.elsewhere = true; chat.setMessages(await saved()) } } : {})
  return (
    <Chat
      chat={chat}
      part={(part, message, index) => (
        <div key={index} data-part={part.type} data-state={part.state}>
          <HoldpointPart part={part} message={message} />
          {query.has('buttons') && 'toolCallId' in part ? <Buttons part={part} chat={query.get('buttons') === 'raw' ? raw : chat} /> : null}
        </div>
      )}
    >
      <section data-unplaced><UnplacedInteractions messages={chat.messages} /></section>
    </Chat>
  )
}

const transport = new DefaultChatTransport({ api })
const client = createHoldpointClient({ sessionId: id, transport: sse({ url: '/holdpoint' }), maxRetryDelayMs: 300 })
const messages = await saved()
createRoot(document.getElementById('root')).render(
  <StrictMode>
    {api === '/api/plain' ? <Plain messages={messages} /> : <HoldpointProvider client={client}><Ours messages={messages} /></HoldpointProvider>}
  </StrictMode>,
)
`

export async function chatPage(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: join(REACT, 'src'), loader: 'tsx' },
    bundle: true,
    write: false,
    jsx: 'automatic',
    format: 'esm',
    target: 'es2022',
    conditions: [SOURCE],
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  const script = outputFiles[0]?.text.replaceAll('</script', '<\\/script')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chat</title><link rel="icon" href="data:,"></head>
<body><div id="root"></div><script type="module">${script}</script></body></html>`
}
