import { signIn, signOut } from '@/lib/login.ts'
import { people, personCalled } from '@/lib/people.ts'

export async function POST(request: Request): Promise<Response> {
  const isForm = !request.headers.get('content-type')?.startsWith('application/json')
  // Another site may not sign a visitor in: browsers say where a form comes from.
  const site = request.headers.get('sec-fetch-site')
  if (isForm && site !== null && site !== 'same-origin') return Response.json({ error: 'Cross-site.' }, { status: 403 })
  const { userId, next } = isForm ? await formOf(request) : await jsonOf(request)
  const person = personCalled(userId)
  if (!person) return Response.json({ error: `Who is that? Try ${Object.keys(people).join(' or ')}.` }, { status: 400 })
  await signIn(person.userId)
  if (!isForm) return Response.json(person)
  return new Response(null, { status: 303, headers: { location: pathOf(next) } })
}

export async function DELETE(): Promise<Response> {
  await signOut()
  return Response.json(null)
}

interface Fields {
  userId?: string
  next?: string
}

const jsonOf = async (request: Request): Promise<Fields> => (await request.json().catch(() => ({}))) as Fields

async function formOf(request: Request): Promise<Fields> {
  const form = await request.formData().catch(() => new FormData())
  return { userId: String(form.get('userId') ?? ''), next: String(form.get('next') ?? '') }
}

/** A path of this app, never another site. */
const pathOf = (next = '/') => (/^\/(?![/\\])/.test(next) ? next : '/')
