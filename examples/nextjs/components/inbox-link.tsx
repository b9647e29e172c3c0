'use client'

import { useInbox } from '@holdpoint/react/query'
import Link from 'next/link'
import { usePathname } from 'next/navigation'

export function InboxLink() {
  const { items, hasMore } = useInbox({ url: '/holdpoint', presence: false })
  return (
    <Link className="nav" href="/inbox" aria-current={usePathname() === '/inbox' ? 'page' : undefined}>
      Inbox
      {items.length > 0 && (
        <span className="badge">
          {items.length}
          {hasMore && '+'}
          <span className="hidden"> waiting</span>
        </span>
      )}
    </Link>
  )
}
