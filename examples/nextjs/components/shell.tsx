import Link from 'next/link'
import type { ReactNode } from 'react'
import type { ChatSummary } from '@/lib/chats.ts'
import type { Person } from '@/lib/people.ts'
import { Brand } from './brand.tsx'
import { BridgesLink } from './bridges/bridges-link.tsx'
import { ChatList } from './chat-list.tsx'
import { InboxLink } from './inbox-link.tsx'
import { MailLink } from './mail/mail-link.tsx'
import { SettingsLink } from './settings-link.tsx'
import { UserMenu } from './user-menu.tsx'

interface ShellProps {
  person: Person
  chats: readonly ChatSummary[]
  current?: string
  children: ReactNode
}

export function Shell({ person, chats, current, children }: ShellProps) {
  return (
    <div className="shell">
      <nav id="sidebar" className="sidebar" popover="auto" aria-label="Chats">
        <Brand />
        <Link className="nav new" href="/" prefetch={false}>
          New chat
        </Link>
        <InboxLink />
        <MailLink />
        <BridgesLink />
        <SettingsLink />
        <ChatList chats={chats} current={current} />
        <h2>The same, with the AI SDK</h2>
        <ul>
          <li>
            <Link className="nav" href="/plain">
              Plain approval
            </Link>
          </li>
          <li>
            <Link className="nav" href="/suspend">
              With Holdpoint, suspended
            </Link>
          </li>
        </ul>
        <UserMenu person={person} />
      </nav>
      <main className="main">{children}</main>
    </div>
  )
}
