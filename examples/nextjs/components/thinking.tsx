'use client'

import { usePendingInteractions } from '@holdpoint/react'
import type { UIMessage } from 'ai'

/** Three dots while the agent is at it: not while it speaks, and not while it waits for an answer. */
export function Thinking({ messages }: { messages: readonly UIMessage[] }) {
  const asks = usePendingInteractions().some(({ deferred }) => !deferred)
  const last = messages.at(-1)?.parts.at(-1)
  const speaks = last?.type === 'text' && last.state === 'streaming'
  if (asks || speaks) return null
  return (
    <p className="thinking" role="status">
      <span className="hidden">The agent is working</span>
      <i /> <i /> <i />
    </p>
  )
}
