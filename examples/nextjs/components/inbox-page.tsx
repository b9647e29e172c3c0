'use client'

import { sse } from '@holdpoint/core'
import { HoldpointProvider, Inbox } from '@holdpoint/react'
import { useInbox, useInboxHistory } from '@holdpoint/react/query'
import { isOfPage, pageOf } from '@/lib/bridges/names.ts'
import type { ChatSummary } from '@/lib/chats.ts'
import { integrations, tools } from '@/lib/names.ts'
import { MenuButton } from './menu-button.tsx'

const transport = sse({ url: '/holdpoint' })

/** The open questions of this person in all chats, each of which can be answered here, and the history. */
export function InboxPage({ chats }: { chats: readonly ChatSummary[] }) {
  const { items, status, hasMore, loadMore, refresh } = useInbox({ url: '/holdpoint', refetchIntervalMs: 5_000 })
  const history = useInboxHistory({ url: '/holdpoint' })
  return (
    <section className="chat">
      <header className="bar">
        <MenuButton />
        <h1>Inbox</h1>
      </header>
      <div className="scroll">
        <div className="messages inbox">
          {status === 'error' && <p className="problem">The inbox could not be read. It is tried again.</p>}
          {status === 'success' && (
            <HoldpointProvider integrations={integrations} tools={tools}>
              <Inbox
                items={items}
                transport={transport}
                chatOf={({ sessionId }) => chats.find(({ id }) => id === sessionId)?.title ?? sessionId}
                hrefOf={({ sessionId }) => `/${isOfPage(sessionId) ? 'bridges' : 'chat'}/${pageOf(sessionId)}`}
                hasMore={hasMore}
                onMore={loadMore}
                onAnswered={refresh}
                history={history}
              />
            </HoldpointProvider>
          )}
        </div>
      </div>
    </section>
  )
}
