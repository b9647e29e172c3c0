import type { Change } from '../machine/apply/batch.ts'
import type { SessionState } from '../machine/state/types.ts'
import type { SendResult, TransportContext } from '../transport/types.ts'
import type { ClientEnvironment, HoldpointClientOptions } from './api/types.ts'
import type { Schedule } from './schedule.ts'

/** What the parts of one client share. It lives as long as the client does. */
export interface Core {
  readonly options: HoldpointClientOptions
  readonly env: ClientEnvironment
  readonly context: TransportContext
  readonly schedule: Schedule
  state: SessionState
  /** Takes over the next state, and tells whom it concerns. */
  apply(change: Change): void
}

/** A closed client is silent, and takes nothing more. */
export const isClosed = ({ state }: Core): boolean => state.connection.status === 'closed'

export const succeeded = ({ status }: SendResult): boolean => status >= 200 && status < 300

export interface WireError {
  code: string
  message: string
  fieldErrors?: Record<string, string[]>
  respondedBy?: { userId?: string; name?: string; clientId: string }
  respondedAt?: string
}

/** The `error` of a body, or what can be said without: a proxy's page says as much as nothing. */
export const errorOf = ({ status, body }: SendResult): WireError => ({
  code: `http_${status}`,
  message: 'The server did not take it. Try again.',
  ...(body as { error?: Partial<WireError> } | null | undefined)?.error,
})

/** What became of a message that nobody answered. */
export const unanswered = (code: 'network' | 'timeout' | 'protocol' | 'client_closed'): SendResult => ({
  status: 0,
  body: { error: { code } },
})
