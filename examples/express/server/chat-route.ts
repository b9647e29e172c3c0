import type { Holdpoint } from '@holdpoint/server'
import express, { type Request as Asked, type Router } from 'express'
import type { Message, makeAgent } from './agent.ts'
import { authenticate } from './login.ts'

/**
 * `POST /api/chat { sessionId, message, id? }`: starts a turn, one for each id. The session's event stream contains its
 * result.
 */
export function chatRoute(holdpoint: Holdpoint, agent: ReturnType<typeof makeAgent>): Router {
  const router = express.Router()
  // A new chat gets its session here, so that its page can listen before the first word.
  router.put('/chat/:id', async (request, response) => {
    const who = await personOf(request)
    if (!who) return void response.status(401).json({ error: 'Sign in first.' })
    const { id } = request.params
    try {
      const known = await holdpoint.sessions.get({ principal: who, sessionId: id })
      if (!known) await holdpoint.session(id, who).emit({ type: 'chat_opened' })
      response.json({ status: 'open' })
    } catch {
      response.status(404).json({ error: 'There is no such chat.' })
    }
  })
  router.post('/chat', async (request, response) => {
    const who = await personOf(request)
    const { sessionId, message, id = crypto.randomUUID() } = (request.body ?? {}) as Record<string, unknown>
    if (!who) return void response.status(401).json({ error: 'Sign in first.' })
    const isWhole = [sessionId, message, id].every((value) => typeof value === 'string' && value.trim() !== '')
    if (!isWhole) {
      return void response.status(400).json({ error: 'A chat needs a sessionId and a message.' })
    }
    try {
      await agent.turn({ sessionId, userId: who.userId, id, message } as Message)
      response.status(202).json({ status: 'started' })
    } catch {
      response.status(404).json({ error: 'There is no such chat.' })
    }
  })
  return router
}

const personOf = ({ headers }: Asked) =>
  authenticate(new Request('http://localhost', { headers: { cookie: headers.cookie ?? '' } }))
