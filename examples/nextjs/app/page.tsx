import { redirect } from 'next/navigation'
import { currentPerson } from '@/lib/login.ts'

/** A new chat. */
export default async function Home() {
  const person = await currentPerson()
  if (!person) redirect('/login')
  redirect(`/chat/${person.userId}-${crypto.randomUUID().slice(0, 8)}`)
}
