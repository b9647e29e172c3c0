import { getIronSession, type SessionOptions } from 'iron-session'
import { cookies } from 'next/headers'
import { secret } from './keys.ts'
import { type Person, personCalled } from './people.ts'

interface SessionData {
  userId?: string
}

const options = (): SessionOptions => ({
  password: secret('login'),
  cookieName: 'holdpoint-example',
  cookieOptions: { secure: false, sameSite: 'lax' },
})

/** Who sends this request? Holdpoint asks it for every request; null is answered with 401. */
export async function authenticate(request: Request): Promise<Person | null> {
  const { userId } = await getIronSession<SessionData>(request, new Response(), options())
  return personCalled(userId)
}

/** The same for pages. */
export async function currentPerson(): Promise<Person | null> {
  const { userId } = await getIronSession<SessionData>(await cookies(), options())
  return personCalled(userId)
}

export async function signIn(userId: string): Promise<void> {
  const session = await getIronSession<SessionData>(await cookies(), options())
  session.userId = userId
  await session.save()
}

export async function signOut(): Promise<void> {
  const session = await getIronSession<SessionData>(await cookies(), options())
  session.destroy()
}
