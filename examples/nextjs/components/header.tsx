'use client'

import { useConnectionState, useInteractionMode } from '@holdpoint/react'
import type { UIMessage } from 'ai'
import { MenuButton } from './menu-button.tsx'

export function Header({ messages }: { messages: readonly UIMessage[] }) {
  return (
    <header className="bar">
      <MenuButton />
      <h1>{titleOf(messages)}</h1>
      <Connection />
      <Mode />
    </header>
  )
}

function titleOf(messages: readonly UIMessage[]): string {
  const [part] = messages[0]?.parts ?? []
  return part?.type === 'text' ? part.text : 'New chat'
}

const states: Readonly<Record<string, string>> = {
  open: 'live',
  connecting: 'connecting',
  reconnecting: 'reconnecting',
  offline: 'offline',
  unauthorized: 'signed out',
  closed: 'closed',
}

export function Connection() {
  const { status } = useConnectionState()
  return (
    <span className="connection" data-status={status}>
      {states[status] ?? status}
    </span>
  )
}

export function Mode() {
  const { enabled, setEnabled } = useInteractionMode()
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={enabled}
        checked={enabled}
        onChange={(event) => setEnabled(event.target.checked)}
      />
      <span>Ask me here</span>
    </label>
  )
}
