'use client'

import { useChat } from '@ai-sdk/react'
import { useConnectionState, useHoldpointClient } from '@holdpoint/react'
import { DefaultChatTransport, generateId, type UIMessage } from 'ai'
import { useCallback, useEffect, useState } from 'react'
import { outboxOf, useUnsent } from './outbox.ts'
import { sendUntilAnswered } from './send-until-answered.ts'

const TELLS: ReadonlySet<string> = new Set(['user_message', 'content', 'chat_updated', 'paused', 'done'])

/**
 * `useChat`, whose messages are the server's: what happens in another tab, or after a restart, appears here too. Typed messages
 * wait in an outbox until the server has them.
 */
export function useSavedChat(id: string, messages: UIMessage[]) {
  const client = useHoldpointClient()
  const connection = useConnectionState().status
  const [outbox] = useState(() => outboxOf(id))
  const unsent = useUnsent(id)
  const [waiting, setWaiting] = useState(false)
  const [transport] = useState(() => {
    const send = sendUntilAnswered(client, setWaiting)
    return new DefaultChatTransport({
      api: '/api/chat',
      // All that is not known to have arrived: a newer message takes the place of a request that was under way.
      prepareSendMessagesRequest: ({ messages }) => ({
        body: { sessionId: id, messages: withLast(outbox.read(), messages) },
      }),
      fetch: async (input, init) => {
        const response = await send(input, init)
        // Signed out: it is kept, and sent after the next sign-in.
        if (response.status !== 401) outbox.drop(idsIn(init?.body))
        return response
      },
    })
  })
  const chat = useChat({ id, messages, transport })
  const { status, setMessages, clearError, sendMessage, stop, regenerate } = chat
  const streams = status === 'submitted' || status === 'streaming'

  const send = useCallback(
    async (text: string) => {
      const message: UIMessage = { id: generateId(), role: 'user', parts: [{ type: 'text', text }] }
      outbox.add(message)
      if (streams) await stop()
      await sendMessage(message)
    },
    [outbox, streams, stop, sendMessage],
  )

  // Messages that an earlier visit did not send.
  useEffect(() => {
    const left = outbox.read()
    if (left.length === 0) return
    setMessages((known) => withUnsent(known, left))
    void regenerate()
  }, [outbox, setMessages, regenerate])

  const load = useCallback(
    async (signal: AbortSignal) => {
      const saved = await savedMessages(id, signal)
      // It does not contain messages that were sent in the meantime.
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
    // Messages that others wrote while this page read its own stream.
    look()
    const unsubscribe = client.onEvent(({ type }) => TELLS.has(type) && look())
    return () => {
      over.abort()
      clearTimeout(timer)
      unsubscribe()
    }
    // A connection that is back is a reason to look again.
  }, [client, streams, load, connection])

  return { ...chat, messages: withUnsent(chat.messages, unsent), streams, send, unsent: waiting ? unsent : [] }
}

const withUnsent = (known: UIMessage[], unsent: readonly UIMessage[]): UIMessage[] => {
  const missing = unsent.filter(({ id }) => !known.some((one) => one.id === id))
  return missing.length > 0 ? [...known, ...missing] : known
}

/** The last message goes along though another tab has sent it meanwhile: the server recognizes it. */
function withLast(unsent: UIMessage[], messages: readonly UIMessage[]): UIMessage[] {
  const last = messages.findLast(({ role }) => role === 'user')
  return last && !unsent.some(({ id }) => id === last.id) ? [...unsent, last] : unsent
}

const idsIn = (body: unknown): string[] =>
  (JSON.parse(String(body)) as { messages: UIMessage[] }).messages.map(({ id }) => id)

async function savedMessages(id: string, signal: AbortSignal): Promise<UIMessage[] | null> {
  try {
    const response = await fetch(`/api/chat?sessionId=${encodeURIComponent(id)}`, { signal })
    return response.ok ? ((await response.json()) as UIMessage[]) : null
  } catch {
    return null
  }
}
