import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { DiffText } from '@/components/diff-text.tsx'
import { MenuButton } from '@/components/menu-button.tsx'
import { Shell } from '@/components/shell.tsx'
import { chatsOf } from '@/lib/chats.ts'
import { currentPerson } from '@/lib/login.ts'
import { Chat } from './chat.tsx'

/** The AI SDK's own approval, and what changes when Holdpoint takes over. */
export default async function Page() {
  const person = await currentPerson()
  if (!person) redirect('/login?next=/plain')
  const diff = readFileSync(join(process.cwd(), 'migrate.diff'), 'utf8')
  return (
    <Shell person={person} chats={chatsOf(person.userId)}>
      <section className="chat">
        <header className="bar">
          <MenuButton />
          <h1>Plain approval</h1>
        </header>
        <div className="beside">
          <div className="chat inner">
            <Chat id={`plain-${person.userId}`} />
          </div>
          <aside className="panel">
            <h2>The way to Holdpoint</h2>
            <p className="muted">
              This page is the AI SDK alone. Answer in two tabs, or stop the server while it asks, and see. The change
              below makes it <Link href="/suspend">the page with Holdpoint</Link>.
            </p>
            <DiffText text={diff} />
          </aside>
        </div>
      </section>
    </Shell>
  )
}
