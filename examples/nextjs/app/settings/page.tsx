import { redirect } from 'next/navigation'
import { SettingsPage } from '@/components/settings-page.tsx'
import { Shell } from '@/components/shell.tsx'
import { chatsOf } from '@/lib/chats.ts'
import { currentPerson } from '@/lib/login.ts'

export const metadata = { title: 'Settings' }

export default async function Page() {
  const person = await currentPerson()
  if (!person) redirect('/login?next=/settings')
  const chats = chatsOf(person.userId)
  return (
    <Shell person={person} chats={chats}>
      <SettingsPage chats={chats} />
    </Shell>
  )
}
