'use client'

import { isToolUIPart, type UIMessage } from 'ai'
import { ToolCall } from './tool-call.tsx'

export function Message({ message }: { message: UIMessage }) {
  const { role, metadata, parts } = message
  if ((metadata as { late?: boolean } | undefined)?.late) return <p className="note">Your late answer arrived.</p>
  return (
    <article className={`message ${role}`} aria-label={role === 'user' ? 'You' : 'Agent'}>
      {parts.map((part, index) => {
        if (part.type === 'text') return <p key={`text ${index.toString()}`}>{part.text}</p>
        return isToolUIPart(part) ? <ToolCall key={part.toolCallId} part={part} message={message} /> : null
      })}
    </article>
  )
}
