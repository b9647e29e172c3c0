'use client'

import type { UseChatHelpers } from '@ai-sdk/react'
import type { UIMessage } from 'ai'
import { useEffect, useRef } from 'react'

/** A reload keeps these chats; their routes keep nothing. Yours load messages from your database. */
export function useKeptMessages({ id, messages, setMessages }: UseChatHelpers<UIMessage>): void {
  const read = useRef(false)
  useEffect(() => {
    const kept = sessionStorage.getItem(id)
    if (!read.current && kept) setMessages(JSON.parse(kept) as UIMessage[])
    read.current = true
  }, [id, setMessages])
  useEffect(() => {
    if (messages.length > 0) sessionStorage.setItem(id, JSON.stringify(messages))
  }, [id, messages])
}
