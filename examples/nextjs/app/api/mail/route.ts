import { authenticate } from '@/lib/login.ts'
import { mailsTo } from '@/lib/mail/catcher.ts'
import { addressOf } from '@/lib/people.ts'

/** The mails of the person, for the list that refreshes itself. */
export async function GET(request: Request): Promise<Response> {
  const person = await authenticate(request)
  const address = person && addressOf(person.userId)
  if (!address) return Response.json({ error: 'Sign in first.' }, { status: 401 })
  return Response.json(mailsTo(address), { headers: { 'cache-control': 'no-store' } })
}
