'use client'

import type { UseChatHelpers } from '@ai-sdk/react'
import { getToolName, isToolUIPart, type UIMessage } from 'ai'
import { Fragment, type ReactNode } from 'react'
import { stateOf, words } from './call-state.ts'
import { Composer } from './composer.tsx'
import { useFollowBottom } from './use-follow-bottom.ts'
import { useKeptMessages } from './use-kept-messages.ts'

type Part = UIMessage['parts'][number]

interface SimpleChatProps {
  chat: UseChatHelpers<UIMessage>
  /** Returns the content of a part that is no text. */
  children(part: Part, message: UIMessage): ReactNode
}

/** The common part of the chats with and without Holdpoint: everything but the questions. */
export function SimpleChat({ chat, children }: SimpleChatProps) {
  const { messages, status, error } = chat
  useKeptMessages(chat)
  const bottom = useFollowBottom(messages)
  return (
    <>
      <div className="scroll" ref={bottom}>
        <div className="messages">
          {messages.length === 0 && <p className="muted empty">Say “delete”, and the agent asks first.</p>}
          {messages.map((message) => (
            <article key={message.id} className={`message ${message.role}`}>
              {message.parts.map((part, index) =>
                part.type === 'text' ? (
                  <p key={`text ${index.toString()}`}>{part.text}</p>
                ) : (
                  <Fragment key={keyOf(part, index)}>
                    {isToolUIPart(part) && <CallLine part={part} />}
                    {children(part, message)}
                  </Fragment>
                ),
              )}
            </article>
          ))}
          {status === 'submitted' && <p className="muted">…</p>}
          {error && <p className="problem">The connection broke. Send it again.</p>}
        </div>
      </div>
      <footer className="dock">
        <Composer onSend={(text) => chat.sendMessage({ text })} chips={false} />
      </footer>
    </>
  )
}

function CallLine({ part }: { part: Parameters<typeof stateOf>[0] }) {
  const asks = part.state === 'approval-requested'
  const state = stateOf(part, undefined, asks ? [{ status: 'pending', deferred: false }] : [])
  return (
    <div className="call-line">
      <span className="call-title">{part.title ?? getToolName(part)}</span>
      <code>{getToolName(part)}</code>
      <span className="call-state">{words[state]}</span>
    </div>
  )
}

const keyOf = (part: Part, index: number) => ('toolCallId' in part ? part.toolCallId : `${part.type} ${index}`)
