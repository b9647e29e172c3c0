import express, { type Router } from 'express'
import type { makeAgent } from './agent.ts'
import { authenticate } from './login.ts'

/** `POST /api/chat { sessionId, message }`: starts a turn. What becomes of it, the session's event stream tells. */
export function chatRoute(agent: ReturnType<typeof makeAgent>): Router {
  const router = express.Router()
  router.post('/chat', async (request, response) => {
    const who = await authenticate(
      new Request('http://localhost', { headers: { cookie: request.headers.cookie ?? '' } }),
    )
    const { sessionId, message } = (request.body ?? {}) as { sessionId?: unknown; message?: unknown }
    if (!who) return void response.status(401).json({ error: 'Sign in first.' })
    if (typeof sessionId !== 'string' || typeof message !== 'string' || message.trim() === '') {
      return void response.status(400).json({ error: 'A chat needs a sessionId and a message.' })
    }
    // Not awaited: an agent's turn may take a day. A session of somebody else rejects before anything is written.
    const turn = agent.turn(sessionId, who.userId, message)
    const refused = await Promise.race([
      turn.then(
        () => null,
        (error: Error) => error,
      ),
      soon(),
    ])
    if (refused) return void response.status(404).json({ error: 'There is no such chat.' })
    response.status(202).json({ status: 'started' })
  })
  return router
}

const soon = () => new Promise<null>((resolve) => setTimeout(resolve, 50, null))
