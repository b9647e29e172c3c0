import { redirect } from 'next/navigation'
import { BridgesPage } from '@/components/bridges/bridges-page.tsx'
import { Shell } from '@/components/shell.tsx'
import { chatsOf } from '@/lib/chats.ts'
import { currentPerson } from '@/lib/login.ts'

export default async function Page() {
  const person = await currentPerson()
  if (!person) redirect('/login?next=/bridges')
  return (
    <Shell person={person} chats={chatsOf(person.userId)}>
      <BridgesPage />
    </Shell>
  )
}
