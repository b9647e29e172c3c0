import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { ChatPage } from '@/components/chat-page.tsx'
import { Shell } from '@/components/shell.tsx'
import { openChat } from '@/lib/agent.ts'
import { chatsOf } from '@/lib/chats.ts'
import { currentPerson } from '@/lib/login.ts'

/** The chat is named in the tab and in the history of the browser. */
export async function generateMetadata({ params }: { params: Promise<{ id: string }> }): Promise<Metadata> {
  const { id } = await params
  const person = await currentPerson()
  const title = person && chatsOf(person.userId).find((chat) => chat.id === id)?.title
  return title ? { title } : {}
}

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const person = await currentPerson()
  if (!person) redirect(`/login?next=/chat/${encodeURIComponent(id)}`)
  const messages = await openChat({ id, userId: person.userId })
  if (!messages) notFound()
  return (
    <Shell person={person} chats={chatsOf(person.userId)} current={id}>
      <ChatPage key={id} id={id} messages={messages} />
    </Shell>
  )
}
