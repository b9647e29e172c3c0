import { askAll, resultsOf } from '@/lib/bridges/index.ts'
import { holdpoint } from '@/lib/holdpoint.ts'
import { authenticate } from '@/lib/login.ts'

const unknown = () => Response.json({ error: 'Sign in first.' }, { status: 401 })

/** Asks the questions. */
export async function POST(request: Request): Promise<Response> {
  const person = await authenticate(request)
  if (!person) return unknown()
  return Response.json({ page: askAll(holdpoint, person.userId) })
}

/** The results of a page, for its user. */
export async function GET(request: Request): Promise<Response> {
  const person = await authenticate(request)
  const page = new URL(request.url).searchParams.get('page') ?? ''
  const mine = person && (await holdpoint.sessions.get({ sessionId: page, principal: person }))
  if (!mine) return unknown()
  return Response.json(resultsOf(page), { headers: { 'cache-control': 'no-store' } })
}
