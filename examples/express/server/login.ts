import type { Principal } from '@holdpoint/server'
import express, { type Router } from 'express'
import { getIronSession, type SessionOptions } from 'iron-session'
import { secret } from './keys.ts'

/** The people of this demo. Yours come from your database. */
const people = { ada: 'Ada Lovelace', grace: 'Grace Hopper' } as const

const options: SessionOptions = {
  password: secret('login'),
  cookieName: 'holdpoint-example',
  cookieOptions: { secure: false, sameSite: 'lax' },
}

/** Who sends this request? Holdpoint asks it for every request; null is answered with 401. */
export async function authenticate(request: Request): Promise<Principal | null> {
  const { userId } = await getIronSession<{ userId?: keyof typeof people }>(request, new Response(), options)
  return userId ? { userId, name: people[userId] } : null
}

export function loginRoutes(): Router {
  const router = express.Router()
  router.post('/login', async (request, response) => {
    const userId = request.body?.userId as keyof typeof people
    if (!Object.hasOwn(people, userId ?? ''))
      return void response.status(400).json({ error: `Who is that? Try ${Object.keys(people).join(' or ')}.` })
    const session = await getIronSession<{ userId?: string }>(request, response, options)
    session.userId = userId
    await session.save()
    response.json({ userId, name: people[userId] })
  })
  router.get('/me', async (request, response) => {
    const { userId } = await getIronSession<{ userId?: keyof typeof people }>(request, response, options)
    response.json(userId ? { userId, name: people[userId] } : null)
  })
  return router
}
