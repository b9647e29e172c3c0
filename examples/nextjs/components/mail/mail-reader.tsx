'use client'

import Link from 'next/link'
import { useState } from 'react'
import type { CaughtMail } from '@/lib/mail/catcher.ts'
import { Phone } from './phone.tsx'

type View = 'html' | 'text' | 'phone'
const names: Readonly<Record<View, string>> = { html: 'Mail', text: 'Plain text', phone: 'On a phone' }

/** One mail: as mail programs show it, as text, and the page behind its link on a phone. */
export function MailReader({ mail, link }: { mail: CaughtMail; link: string | null }) {
  const [view, setView] = useState<View>('html')
  const views: View[] = link ? ['html', 'text', 'phone'] : ['html', 'text']
  return (
    <article className="mail-reader">
      <header>
        <Link className="quiet back" href="/mail">
          All mails
        </Link>
        <h2>{mail.subject}</h2>
        <p className="muted mail-from">
          <bdi>{mail.from}</bdi> to <bdi>{mail.to}</bdi>
        </p>
        <fieldset className="views">
          <legend className="hidden">Show as</legend>
          {views.map((one) => (
            <label key={one}>
              <input type="radio" name="view" checked={one === view} onChange={() => setView(one)} />
              {names[one]}
            </label>
          ))}
        </fieldset>
      </header>
      {view === 'html' && (
        <iframe
          className="mail-html"
          title="The mail"
          src={`/mail/${mail.id}/html`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      )}
      {view === 'text' && <pre className="mail-text">{mail.text}</pre>}
      {view === 'phone' && link && <Phone link={link} />}
    </article>
  )
}
