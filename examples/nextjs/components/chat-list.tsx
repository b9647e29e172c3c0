'use client'

import Link from 'next/link'
import type { ChatSummary } from '@/lib/chats.ts'
import { useChats } from './use-chats.ts'

/** The chats of this person, the one on the page marked. */
export function ChatList({ chats, current }: { chats: readonly ChatSummary[]; current: string | undefined }) {
  const listed = useChats(chats)
  return (
    <>
      {listed.length > 0 && <h2>Chats</h2>}
      <ul className="chats">
        {listed.map(({ id, title }) => (
          <li key={id}>
            <Link className="nav" href={`/chat/${id}`} aria-current={id === current ? 'page' : undefined}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
