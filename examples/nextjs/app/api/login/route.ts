import { signIn, signOut } from '@/lib/login.ts'
import { people, personCalled } from '@/lib/people.ts'

export async function POST(request: Request): Promise<Response> {
  const { userId } = (await request.json().catch(() => ({}))) as { userId?: string }
  const person = personCalled(userId)
  if (!person) return Response.json({ error: `Who is that? Try ${Object.keys(people).join(' or ')}.` }, { status: 400 })
  await signIn(person.userId)
  return Response.json(person)
}

export async function DELETE(): Promise<Response> {
  await signOut()
  return Response.json(null)
}
