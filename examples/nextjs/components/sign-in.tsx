'use client'

import type { Person } from '@/lib/people.ts'
import { Avatar } from './avatar.tsx'

export function SignIn({ people }: { people: readonly Person[] }) {
  const signIn = async (userId: string) => {
    await fetch('/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ userId }),
    })
    const next = new URLSearchParams(location.search).get('next')
    location.assign(next?.startsWith('/') && !next.startsWith('//') ? next : '/')
  }
  return (
    <div className="people">
      {people.map(({ userId, name }) => (
        <button key={userId} type="button" className="person" onClick={() => void signIn(userId)}>
          <Avatar name={name} />
          {name}
        </button>
      ))}
    </div>
  )
}
