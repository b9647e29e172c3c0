import { HoldpointError } from '../error.ts'
import type { Json } from './call-service.ts'
import type { AskResponse } from './types.ts'

/** The service's response to `/ask` as an `AskResponse`; `ask_failed` if it reports a failure. */
export function askResponse(body: Json): AskResponse {
  const { status, confirmation_token: confirmationToken, session_id: sessionId } = body
  const message = typeof body.message === 'string' ? body.message : ''
  const rest = body.data === undefined ? { message } : { message, data: body.data }
  if (status === 'confirmation_required' && typeof confirmationToken === 'string') {
    return { status, confirmationToken, ...rest }
  }
  if (status === 'interactive_response' && typeof sessionId === 'string') return { status, sessionId, ...rest }
  if (status === 'completed' || status === 'pending') return { status, ...rest }
  throw new HoldpointError('ask_failed', message || 'The service sent an invalid response.')
}
