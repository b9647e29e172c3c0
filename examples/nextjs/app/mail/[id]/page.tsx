import { notFound, redirect } from 'next/navigation'
import { MailPage } from '@/components/mail/mail-page.tsx'
import { MailReader } from '@/components/mail/mail-reader.tsx'
import { Shell } from '@/components/shell.tsx'
import { chatsOf } from '@/lib/chats.ts'
import { currentPerson } from '@/lib/login.ts'
import { answerLinkOf } from '@/lib/mail/answer-link.ts'
import { mailsTo, mailTo } from '@/lib/mail/catcher.ts'
import { addressOf } from '@/lib/people.ts'

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const person = await currentPerson()
  if (!person) redirect(`/login?next=/mail/${encodeURIComponent(id)}`)
  const address = addressOf(person.userId) ?? ''
  const mail = mailTo(address, Number(id))
  if (!mail) notFound()
  return (
    <Shell person={person} chats={chatsOf(person.userId)}>
      <MailPage mails={mailsTo(address)} current={mail.id}>
        <MailReader key={mail.id} mail={mail} link={answerLinkOf(mail.text)} />
      </MailPage>
    </Shell>
  )
}
