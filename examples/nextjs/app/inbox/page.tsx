import { redirect } from 'next/navigation'
import { InboxPage } from '@/components/inbox-page.tsx'
import { Shell } from '@/components/shell.tsx'
import { chatsOf } from '@/lib/chats.ts'
import { currentPerson } from '@/lib/login.ts'

export const metadata = { title: 'Inbox' }

export default async function Page() {
  const person = await currentPerson()
  if (!person) redirect('/login?next=/inbox')
  const chats = chatsOf(person.userId)
  return (
    <Shell person={person} chats={chats}>
      <InboxPage chats={chats} />
    </Shell>
  )
}
