'use client'

import { useAttention, useAuthReturn, useInteractionsOutOfView } from '@holdpoint/react'
import { UnplacedInteractions } from '@holdpoint/react/ai-sdk'
import { useInbox } from '@holdpoint/react/query'
import type { UIMessage } from 'ai'
import { Composer } from './composer.tsx'
import { Header } from './header.tsx'
import { Message } from './message.tsx'
import { Thinking } from './thinking.tsx'
import { useListedWhenBegun } from './use-chats.ts'
import { useFollowBottom } from './use-follow-bottom.ts'
import { useSavedChat } from './use-saved-chat.ts'
import { Welcome } from './welcome.tsx'

export function Conversation({ id, messages }: { id: string; messages: UIMessage[] }) {
  const chat = useSavedChat(id, messages)
  useAttention()
  const { text, count, jumpToNext } = useInteractionsOutOfView()
  useAuthReturn()
  // Looked at here too, so that the number beside "Inbox" follows this chat at once.
  useInbox({ url: '/holdpoint', presence: false })
  useListedWhenBegun(messages.length === 0 && chat.messages.some(({ role }) => role === 'assistant'))
  const bottom = useFollowBottom(chat.messages)

  return (
    <section className="chat">
      <Header messages={chat.messages} />
      <div className="scroll" ref={bottom}>
        <div className="messages">
          {chat.messages.length === 0 && <Welcome onPick={(text) => void chat.send(text)} />}
          {chat.messages.map((message) => (
            <Message key={message.id} message={message} unsent={chat.unsent.some(({ id }) => id === message.id)} />
          ))}
          <UnplacedInteractions messages={chat.messages} />
          {chat.streams && chat.unsent.length === 0 && <Thinking messages={chat.messages} />}
          {chat.error && (
            <p className="problem" role="alert">
              {problemIn(chat.error)}
            </p>
          )}
        </div>
      </div>
      <footer className="dock">
        {count > 0 && (
          <button type="button" className="waiting" onClick={jumpToNext}>
            {text}
          </button>
        )}
        <Composer onSend={chat.send} chips={chat.messages.length > 0} />
      </footer>
    </section>
  )
}

/** The route says in JSON why it refused; anything else was the network. */
function problemIn({ message }: Error): string {
  try {
    return (JSON.parse(message) as { error: string }).error
  } catch {
    return 'The connection broke. The chat continues after a reconnect.'
  }
}
