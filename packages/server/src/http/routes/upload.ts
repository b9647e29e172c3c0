import { id } from '@holdpoint/core/protocol'
import { sessionOf } from './events.ts'
import { type Outgoing, replied } from './outgoing.ts'
import { noSuchSession, refuse } from './refuse.ts'
import type { UserContext } from './route.ts'

/**
 * `POST /sessions/:session/uploads?interactionId=&fieldId=&name=&type=`: the file's bytes are the body. What the file
 * is called and said to be travels beside it, so that no browser may send it without asking first.
 */
export async function upload(context: UserContext): Promise<Outgoing> {
  const { engine, principal, query } = context
  const sessionId = sessionOf(context.params)
  const file = {
    interactionId: named(query, 'interactionId'),
    fieldId: named(query, 'fieldId'),
    name: named(query, 'name'),
    type: query.get('type') || 'application/octet-stream',
  }
  // Whoever may not read the session may not make the server hold a file for it either.
  if ((await engine.access(principal, sessionId, 'respond')) === null) noSuchSession()
  const body = await context.body(engine.limits.uploadBytes)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return replied(await engine.upload(principal, sessionId, { ...file, bytes }))
}

function named(query: URLSearchParams, path: string): string {
  const parsed = id.safeParse(query.get(path))
  return parsed.success
    ? parsed.data
    : refuse('invalid_message', `The upload needs ?${path}=, of at most 256 printable characters.`, { path })
}
