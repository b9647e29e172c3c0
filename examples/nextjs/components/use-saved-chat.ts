'use client'

import { useChat } from '@ai-sdk/react'
import { useHoldpointClient } from '@holdpoint/react'
import { DefaultChatTransport, type UIMessage } from 'ai'
import { useCallback, useEffect, useState } from 'react'

const TELLS: ReadonlySet<string> = new Set(['user_message', 'content', 'chat_updated', 'done'])

/** `useChat`, whose messages are the server's: what happens in another tab, or after a restart, appears here too. */
export function useSavedChat(id: string, messages: UIMessage[]) {
  const client = useHoldpointClient()
  const [transport] = useState(
    () =>
      new DefaultChatTransport({
        api: '/api/chat',
        prepareSendMessagesRequest: ({ messages }) => ({ body: { sessionId: id, message: messages.at(-1) } }),
      }),
  )
  const chat = useChat({ id, messages, transport })
  const { status, setMessages, clearError } = chat
  const streams = status === 'submitted' || status === 'streaming'

  const load = useCallback(
    async (signal: AbortSignal) => {
      const saved = await savedMessages(id, signal)
      // What was sent meanwhile is not in it.
      if (saved === null || signal.aborted) return
      setMessages(saved)
      clearError()
    },
    [id, setMessages, clearError],
  )

  useEffect(() => {
    if (streams) return
    const over = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    // Several events arrive together; one look is enough.
    const look = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void load(over.signal), 60)
    }
    // What others said while this page was listening to its own stream.
    look()
    const unsubscribe = client.onEvent(({ type }) => TELLS.has(type) && look())
    return () => {
      over.abort()
      clearTimeout(timer)
      unsubscribe()
    }
  }, [client, streams, load])

  return { ...chat, streams }
}

async function savedMessages(id: string, signal: AbortSignal): Promise<UIMessage[] | null> {
  try {
    const response = await fetch(`/api/chat?sessionId=${encodeURIComponent(id)}`, { signal })
    return response.ok ? ((await response.json()) as UIMessage[]) : null
  } catch {
    return null
  }
}
