import type { Transport } from '@holdpoint/core'
import { browserEnvironment, type SessionSnapshot } from '@holdpoint/core/internal'
import type { Item } from './rows.ts'

/**
 * Reads the questions of a session in the state that they have now, because the inbox lists open ones alone. Undefined if
 * the session cannot be read: no network, or no right to.
 */
export async function readSession(transport: Transport, sessionId: string): Promise<Item['interaction'][] | undefined> {
  const env = browserEnvironment()
  try {
    const { status, body } = await transport.snapshot({ sessionId, clientId: env.id(), env })
    return status === 200 ? [...(body as SessionSnapshot).interactions] : undefined
  } catch {
    return undefined
  }
}

/** Whether a question has an end that its card can show. */
export const hasEnded = ({ response, closed, authResult }: Item['interaction']): boolean =>
  Boolean(response || closed || authResult)
