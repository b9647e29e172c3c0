import { selectPending } from '../machine/selectors.ts'
import type { Interaction, SessionState } from '../machine/types.ts'

/** One account that a run waits for. */
export interface PendingAccount {
  integration: string
  connected: boolean
  /** Why it is asked for: never connected, not taken any more, or more permissions needed. */
  cause?: 'missing' | 'expired' | 'scopes'
  scopes?: readonly string[]
}

/** A run that waits for accounts. */
export interface PendingAuth {
  interactionId: string
  /** The run, as return links name it. */
  generationId: string
  toolName: string
  accounts: readonly PendingAccount[]
  /** How many are still to be connected. */
  remaining: number
  reason?: string
  /** Milliseconds of the server's clock. */
  expiresAt: number
}

/**
 * What accounts the runs of a session wait for, oldest first. After a reload it is the same: the server keeps it.
 *
 * @example
 * for (const { accounts, remaining } of pendingAuth(client.getSnapshot())) draw(accounts, remaining)
 */
export function pendingAuth(state: SessionState): PendingAuth[] {
  return selectPending(state).flatMap((interaction) => pendingAuthOf(interaction) ?? [])
}

/**
 * What accounts one question waits for; null when it is another kind of question.
 *
 * @example
 * const pending = pendingAuthOf(interaction)
 * if (pending) announce(`${pending.remaining} accounts to connect`)
 */
export function pendingAuthOf({ request, interactionId, connected, expiresAt }: Interaction): PendingAuth | null {
  if (!('integrations' in request) || !Array.isArray(request.integrations)) return null
  const { integrations, causes, scopes, reason, generationId, toolName } = request as Extract<
    Interaction['request'],
    { type: 'auth_needed' }
  >
  const accounts = integrations.map((integration): PendingAccount => {
    const [cause, wanted] = [causes?.[integration], scopes?.[integration]]
    return {
      integration,
      connected: connected.includes(integration),
      ...(cause ? { cause } : {}),
      ...(wanted ? { scopes: wanted } : {}),
    }
  })
  return {
    interactionId,
    generationId,
    toolName,
    accounts,
    remaining: accounts.filter((account) => !account.connected).length,
    ...(reason === undefined ? {} : { reason }),
    expiresAt,
  }
}
