import type { MachineInput, SessionState } from '../machine/types.ts'
import type { SendResult, TransportContext } from '../transport/types.ts'
import type { Schedule } from './schedule.ts'
import type { ClientEnvironment, HoldpointClientOptions } from './types.ts'

/** What the parts of one client share. It lives as long as the client does. */
export interface Core {
  readonly options: HoldpointClientOptions
  readonly env: ClientEnvironment
  readonly context: TransportContext
  readonly schedule: Schedule
  state: SessionState
  phase: 'new' | 'live' | 'closed'
  apply(input: MachineInput): void
}

/** What became of a message: an answer, or `status: 0` and why there was none. */
export type Posted = SendResult & { failure?: 'network' | 'timeout' | 'client_closed' }

export const succeeded = ({ status }: SendResult): boolean => status >= 200 && status < 300

export interface WireError {
  code?: string
  message?: string
  fieldErrors?: Record<string, string[]>
  respondedBy?: { userId?: string; name?: string; clientId: string }
  respondedAt?: string
}

/** The `error` of a body, or nothing: a proxy's page says as much. */
export function errorOf({ status, body, failure }: Posted): WireError & { code: string; message: string } {
  const error = (body as { error?: unknown } | null | undefined)?.error
  return {
    code: failure ?? `http_${status}`,
    message: 'The server did not take it. Try again.',
    ...(typeof error === 'object' ? error : {}),
  }
}
