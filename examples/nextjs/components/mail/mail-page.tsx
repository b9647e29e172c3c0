'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { ReactNode } from 'react'
import type { MailSummary } from '@/lib/mail/catcher.ts'
import { MenuButton } from '../menu-button.tsx'

interface MailPageProps {
  mails: MailSummary[]
  current?: number
  children?: ReactNode
}

/** The mails that the agent has sent to this person. They stay in the demo. */
export function MailPage({ mails, current, children }: MailPageProps) {
  const { data } = useQuery({ queryKey: ['mails'], queryFn: readMails, initialData: mails, refetchInterval: 2_000 })
  return (
    <section className="chat mail">
      <header className="bar">
        <MenuButton />
        <h1>Mail</h1>
        <span className="muted note-local">Sent by the agent, kept in this demo</span>
      </header>
      <div className="mail-panes" data-open={children ? 'mail' : 'list'}>
        <nav className="mail-list" aria-label="Mails">
          {data.length === 0 && (
            <p className="muted empty-list">
              No mail yet. Start a chat, say “delete”, and open this page: after five seconds the question comes here
              too.
            </p>
          )}
          <ul>
            {data.map(({ id, subject, sentAt }) => (
              <li key={id}>
                <Link className="mail-row" href={`/mail/${id}`} aria-current={id === current ? 'page' : undefined}>
                  <strong>{subject}</strong>
                  <time className="muted" dateTime={new Date(sentAt).toISOString()} suppressHydrationWarning>
                    {new Date(sentAt).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}
                  </time>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="mail-open">{children ?? <p className="muted empty">Choose a mail to read it.</p>}</div>
      </div>
    </section>
  )
}

async function readMails(): Promise<MailSummary[]> {
  const response = await fetch('/api/mail')
  if (!response.ok) throw new Error(`The mails could not be read: ${response.status}`)
  return (await response.json()) as MailSummary[]
}
