import { HoldpointError } from '../error.ts'
import type { Json } from './call-service.ts'
import type { AskReply } from './types.ts'

/** The service's answer to `/ask` in our words; `ask_failed` when it says that it failed. */
export function askReply(body: Json): AskReply {
  const { status, confirmation_token: confirmationToken, session_id: sessionId } = body
  const message = typeof body.message === 'string' ? body.message : ''
  const rest = body.data === undefined ? { message } : { message, data: body.data }
  if (status === 'confirmation_required' && typeof confirmationToken === 'string') {
    return { status, confirmationToken, ...rest }
  }
  if (status === 'interactive_response' && typeof sessionId === 'string') return { status, sessionId, ...rest }
  if (status === 'completed' || status === 'pending') return { status, ...rest }
  throw new HoldpointError('ask_failed', message || 'The service gave an answer that is not understood.')
}
