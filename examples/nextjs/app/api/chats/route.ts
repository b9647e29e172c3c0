import { chatsOf } from '@/lib/chats.ts'
import { authenticate } from '@/lib/login.ts'

/** Returns the chats of the signed-in person, newest first. */
export async function GET(request: Request): Promise<Response> {
  const who = await authenticate(request)
  return who ? Response.json(chatsOf(who.userId)) : Response.json({ error: 'Sign in first.' }, { status: 401 })
}
