import { schemas } from '@holdpoint/core/protocol'
import type { Principal } from '../../base/principal.ts'
import type { Engine, Reply } from '../../engine/api/engine.ts'
import { refuse } from '../requests/refuse.ts'
import { userKey } from '../requests/user-key.ts'
import { type Outgoing, responseOfReply } from '../responses/http-response.ts'
import type { RouteContext, UserContext } from '../routing/route.ts'
import { sessionOf } from './events.ts'

/**
 * `POST /sessions/:session/uploads?interactionId=&fieldId=&name=&type=&keeps=`: the file's bytes are the body. The name and
 * type of the file are parameters, so that browsers send a preflight request first.
 */
export async function upload(context: UserContext): Promise<Outgoing> {
  const { principal, query } = context
  const file = {
    interactionId: named(query, 'interactionId'),
    fieldId: named(query, 'fieldId'),
    name: named(query, 'name'),
    type: query.get('type') || 'application/octet-stream',
    ...(query.has('keeps') && { keeps: query.getAll('keeps').filter(Boolean) }),
  }
  const read = async (maxBytes: number) => {
    const body = await context.body(maxBytes)
    return typeof body === 'string' ? new TextEncoder().encode(body) : body
  }
  return responseOfReply(await receiveFile(context, principal, sessionOf(context.params), file, read))
}

/** The parameters of a file besides its bytes. */
type FileFacts = Omit<Parameters<Engine['upload']>[2], 'bytes'>

/**
 * Uploads a file. The engine calls `read` after it has checked that this user may upload this file for this field, and
 * the bytes count as held by the user until they are stored.
 */
export async function receiveFile(
  context: RouteContext,
  principal: Principal,
  sessionId: string,
  file: FileFacts,
  read: (maxBytes: number) => Promise<Uint8Array>,
): Promise<Reply> {
  const user = userKey(principal)
  let held = 0
  const bytes = async (maxBytes: number) => {
    const declared = Number(context.incoming.header('content-length') ?? maxBytes)
    const wanted = Number.isFinite(declared) ? Math.min(Math.max(declared, 1), maxBytes) : maxBytes
    if (!context.uploads.reserve(user, wanted)) {
      refuse('rate_limited', 'Too many uploads at once. Wait until one is done.', { retryAfterMs: 1_000 })
    }
    held = wanted
    return await read(maxBytes)
  }
  try {
    return await context.engine.upload(principal, sessionId, { ...file, bytes })
  } finally {
    if (held > 0) context.uploads.release(user, held)
  }
}

function named(query: URLSearchParams, path: string): string {
  const parsed = schemas.id.safeParse(query.get(path))
  return parsed.success
    ? parsed.data
    : refuse('invalid_message', `The upload needs ?${path}=, of at most 256 printable characters.`, { path })
}
