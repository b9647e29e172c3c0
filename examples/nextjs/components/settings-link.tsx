'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'

export function SettingsLink() {
  return (
    <Link className="nav" href="/settings" aria-current={usePathname() === '/settings' ? 'page' : undefined}>
      Settings
    </Link>
  )
}
