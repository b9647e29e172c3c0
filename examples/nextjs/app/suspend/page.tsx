import { notFound, redirect } from 'next/navigation'
import { MenuButton } from '@/components/menu-button.tsx'
import { Shell } from '@/components/shell.tsx'
import { openChat } from '@/lib/agent.ts'
import { chatsOf } from '@/lib/chats.ts'
import { currentPerson } from '@/lib/login.ts'
import { Chat } from './chat.tsx'

/** Each request ends at a question, as serverless functions must; the answer sends the next one. */
export default async function Page({ searchParams }: { searchParams: Promise<{ session?: string }> }) {
  const { session } = await searchParams
  const person = await currentPerson()
  if (!person) redirect(`/login?next=${encodeURIComponent(session ? `/suspend?session=${session}` : '/suspend')}`)
  if (!session) redirect(`/suspend?session=${person.userId}-${crypto.randomUUID().slice(0, 8)}`)
  if (!(await openChat({ id: session, userId: person.userId }))) notFound()
  return (
    <Shell person={person} chats={chatsOf(person.userId)}>
      <section className="chat">
        <header className="bar">
          <MenuButton />
          <h1>With Holdpoint, suspended</h1>
        </header>
        <div className="chat inner">
          <Chat key={session} id={session} />
        </div>
      </section>
    </Shell>
  )
}
