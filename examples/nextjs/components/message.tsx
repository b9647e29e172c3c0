'use client'

import { isToolUIPart, type UIMessage } from 'ai'
import { ToolCall } from './tool-call.tsx'

export function Message({ message, unsent }: { message: UIMessage; unsent: boolean }) {
  const { role, metadata, parts } = message
  if ((metadata as { late?: boolean } | undefined)?.late)
    return <p className="note">Your answer arrived as a follow-up.</p>
  // A turn that was overtaken before it said anything.
  if (!parts.some((part) => part.type === 'text' || isToolUIPart(part))) return null
  return (
    <article className={`message ${role}`} aria-label={role === 'user' ? 'You' : 'Agent'}>
      {parts.map((part, index) => {
        if (part.type === 'text') return <p key={`text ${index.toString()}`}>{part.text}</p>
        return isToolUIPart(part) ? <ToolCall key={part.toolCallId} part={part} message={message} /> : null
      })}
      {unsent && (
        <span className="unsent" role="status">
          Not sent yet. It is sent when the connection is back.
        </span>
      )}
    </article>
  )
}
