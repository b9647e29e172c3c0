import { redirect } from 'next/navigation'
import { BridgesPage } from '@/components/bridges/bridges-page.tsx'
import { BridgesTable } from '@/components/bridges/bridges-table.tsx'
import { Shell } from '@/components/shell.tsx'
import { chatsOf } from '@/lib/chats.ts'
import { currentPerson } from '@/lib/login.ts'

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const person = await currentPerson()
  if (!person) redirect(`/login?next=/bridges/${encodeURIComponent(id)}`)
  return (
    <Shell person={person} chats={chatsOf(person.userId)}>
      <BridgesPage>
        <BridgesTable key={id} page={id} />
      </BridgesPage>
    </Shell>
  )
}
