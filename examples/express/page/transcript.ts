import type { HoldpointClient, HoldpointEvent } from '@holdpoint/core'
import { useEffect, useState } from 'react'

/** One line of the conversation, in the order of the log. */
export type Entry =
  | { id: string; kind: 'user' | 'agent'; text: string }
  | { id: string; kind: 'tool'; toolCallId: string; toolName: string }

/** The log as a conversation. A replay gives the same lines as watching it live. */
export function useTranscript(client: HoldpointClient): readonly Entry[] {
  const [entries, setEntries] = useState<readonly Entry[]>([])
  useEffect(() => {
    setEntries([])
    return client.onEvent((event, cursor) => {
      const entry = entryOf(event, cursor)
      if (entry) setEntries((known) => (known.some(({ id }) => id === cursor) ? known : [...known, entry]))
    })
  }, [client])
  return entries
}

function entryOf(event: HoldpointEvent, id: string): Entry | null {
  const { type, text, toolCallId, toolName } = event as Record<string, string | undefined>
  if (type === 'user_message' && text !== undefined) return { id, kind: 'user', text }
  if (type === 'content' && text !== undefined) return { id, kind: 'agent', text }
  if (type === 'tool_call_start' && toolCallId && toolName) return { id, kind: 'tool', toolCallId, toolName }
  return null
}
