'use client'

import type { Person } from '@/lib/people.ts'
import { Avatar } from './avatar.tsx'
import { forgetUnsent } from './outbox.ts'

export function UserMenu({ person }: { person: Person }) {
  const signOut = async () => {
    await fetch('/api/login', { method: 'DELETE' })
    forgetUnsent()
    location.assign('/login')
  }
  return (
    <div className="account">
      <Avatar name={person.name} />
      <span>{person.name}</span>
      <button type="button" className="quiet" onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
  )
}
