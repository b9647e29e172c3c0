'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'

export function BridgesLink() {
  return (
    <Link className="nav" href="/bridges" aria-current={usePathname().startsWith('/bridges') ? 'page' : undefined}>
      Five frameworks
    </Link>
  )
}
