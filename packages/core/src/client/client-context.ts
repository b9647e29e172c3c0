import type { Change } from '../machine/apply/batch.ts'
import type { SessionState } from '../machine/state/types.ts'
import type { SendResult, TransportContext } from '../transport/types.ts'
import type { ClientEnvironment, HoldpointClientOptions } from './api/types.ts'
import type { Schedule } from './schedule.ts'

/** Services that the parts of one client share. It exists as long as the client. */
export interface Core {
  readonly options: HoldpointClientOptions
  readonly env: ClientEnvironment
  readonly context: TransportContext
  readonly schedule: Schedule
  state: SessionState
  /** Applies the next state and notifies the listeners of its topics. */
  apply(change: Change): void
}

/** A closed client sends nothing and applies nothing. */
export const isClosed = ({ state }: Core): boolean => state.connection.status === 'closed'

export const succeeded = ({ status }: SendResult): boolean => status >= 200 && status < 300

export interface WireError {
  code: string
  message: string
  fieldErrors?: Record<string, string[]>
  respondedBy?: { userId?: string; name?: string; clientId: string }
  respondedAt?: string
}

/** Returns the `error` of a body, or a generic error for a body without one, such as a proxy's page. */
export const errorOf = ({ status, body }: SendResult): WireError => ({
  code: `http_${status}`,
  message: 'The server did not accept the message. Try again.',
  ...(body as { error?: Partial<WireError> } | null | undefined)?.error,
})

/** The result of a message without a response. */
export const unanswered = (code: 'network' | 'timeout' | 'protocol' | 'client_closed'): SendResult => ({
  status: 0,
  body: { error: { code } },
})
