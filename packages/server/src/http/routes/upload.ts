import { schemas } from '@holdpoint/core/protocol'
import { refuse } from '../requests/refuse.ts'
import { userKey } from '../requests/user-key.ts'
import { type Outgoing, responseOfReply } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'
import { sessionOf } from './events.ts'

/**
 * `POST /sessions/:session/uploads?interactionId=&fieldId=&name=&type=`: the file's bytes are the body. The name and
 * type of the file are parameters, so that browsers send a preflight request first.
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
  let held = 0
  // The engine calls this after it has checked that this user may upload this file for this field.
  const bytes = async (maxBytes: number) => {
    const declared = Number(context.incoming.header('content-length') ?? maxBytes)
    held = Number.isFinite(declared) ? Math.min(Math.max(declared, 1), maxBytes) : maxBytes
    if (!context.uploads.reserve(userKey(principal), held)) {
      held = 0
      refuse('rate_limited', 'Too many uploads at once. Wait until one is done.', { retryAfterMs: 1_000 })
    }
    const body = await context.body(maxBytes)
    return typeof body === 'string' ? new TextEncoder().encode(body) : body
  }
  try {
    return responseOfReply(await engine.upload(principal, sessionId, { ...file, bytes }))
  } finally {
    if (held > 0) context.uploads.release(userKey(principal), held)
  }
}

function named(query: URLSearchParams, path: string): string {
  const parsed = schemas.id.safeParse(query.get(path))
  return parsed.success
    ? parsed.data
    : refuse('invalid_message', `The upload needs ?${path}=, of at most 256 printable characters.`, { path })
}
