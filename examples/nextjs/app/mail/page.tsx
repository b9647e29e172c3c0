import { redirect } from 'next/navigation'
import { MailPage } from '@/components/mail/mail-page.tsx'
import { Shell } from '@/components/shell.tsx'
import { chatsOf } from '@/lib/chats.ts'
import { currentPerson } from '@/lib/login.ts'
import { mailsTo } from '@/lib/mail/catcher.ts'
import { addressOf } from '@/lib/people.ts'

export const metadata = { title: 'Mail' }

export default async function Page() {
  const person = await currentPerson()
  if (!person) redirect('/login?next=/mail')
  return (
    <Shell person={person} chats={chatsOf(person.userId)}>
      <MailPage mails={mailsTo(addressOf(person.userId) ?? '')} />
    </Shell>
  )
}
