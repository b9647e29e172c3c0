'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'

export function MailLink() {
  return (
    <Link className="nav" href="/mail" aria-current={usePathname().startsWith('/mail') ? 'page' : undefined}>
      Mail
    </Link>
  )
}
