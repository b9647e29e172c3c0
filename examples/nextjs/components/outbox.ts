'use client'

import type { UIMessage } from 'ai'
import { useMemo, useSyncExternalStore } from 'react'

const PREFIX = 'unsent '

/** The typed messages of one chat that the server has not acknowledged. They survive a reload. */
export interface Outbox {
  read(): UIMessage[]
  add(message: UIMessage): void
  drop(ids: readonly string[]): void
}

export function outboxOf(chatId: string): Outbox {
  const key = `${PREFIX}${chatId}`
  const read = () => JSON.parse(localStorage.getItem(key) ?? '[]') as UIMessage[]
  const write = (messages: readonly UIMessage[]) => {
    if (messages.length > 0) localStorage.setItem(key, JSON.stringify(messages))
    else localStorage.removeItem(key)
    // Browsers send this event to other tabs only.
    dispatchEvent(new StorageEvent('storage', { key }))
  }
  return {
    read,
    add: (message) => write([...read(), message]),
    drop: (ids) => write(read().filter(({ id }) => !ids.includes(id))),
  }
}

/** The unsent messages of a chat, as they change in this tab or another one. */
export function useUnsent(chatId: string): UIMessage[] {
  const text = useSyncExternalStore(
    onStorage,
    () => localStorage.getItem(`${PREFIX}${chatId}`) ?? '[]',
    () => '[]',
  )
  return useMemo(() => JSON.parse(text) as UIMessage[], [text])
}

/** Removes the unsent messages of the user who signs out of this device. */
export function forgetUnsent(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
}

function onStorage(listener: () => void): () => void {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}
