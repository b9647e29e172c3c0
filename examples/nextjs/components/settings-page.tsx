'use client'

import { HoldpointProvider } from '@holdpoint/react'
import { ConnectedAccounts, RememberedApprovals, ToolSettings } from '@holdpoint/react/settings'
import type { ChatSummary } from '@/lib/chats.ts'
import { integrations, tools } from '@/lib/names.ts'
import { MenuButton } from './menu-button.tsx'

/** The remembered approvals of the user, the tool settings and the connected accounts. */
export function SettingsPage({ chats }: { chats: readonly ChatSummary[] }) {
  const chatOf = (sessionId: string) => chats.find(({ id }) => id === sessionId)?.title ?? sessionId
  return (
    <section className="chat">
      <header className="bar">
        <MenuButton />
        <h1>Settings</h1>
      </header>
      <div className="scroll">
        <div className="messages settings">
          <HoldpointProvider integrations={integrations} tools={tools}>
            <RememberedApprovals url="/holdpoint" chatOf={chatOf} />
            <ToolSettings url="/holdpoint" choices={{ auto: 'Never ask', ask: 'Ask every time' }} />
            <ConnectedAccounts url="/holdpoint" />
          </HoldpointProvider>
        </div>
      </div>
    </section>
  )
}
