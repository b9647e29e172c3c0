import { selectPending } from '../machine/state/selectors.ts'
import type { Interaction, SessionState } from '../machine/state/types.ts'

/** One account that a run waits for. */
export interface PendingAccount {
  integration: string
  connected: boolean
  /** Why it is needed: never connected, rejected by the service, or more permissions needed. */
  cause?: 'missing' | 'expired' | 'scopes'
  scopes?: readonly string[]
}

/** A run that waits for accounts. */
export interface PendingAuth {
  interactionId: string
  /** The run's id, as return links contain it. */
  generationId: string
  toolName: string
  accounts: readonly PendingAccount[]
  /** Number of accounts still to be connected. */
  remaining: number
  reason?: string
  /** Milliseconds of the server's clock. */
  expiresAt: number
}

/**
 * Returns the accounts that the runs of a session wait for, oldest first. The result survives a reload, because the
 * server stores it.
 *
 * @example for (const { accounts, remaining } of pendingAuth(client.getSnapshot())) draw(accounts, remaining)
 */
export function pendingAuth(state: SessionState): PendingAuth[] {
  return selectPending(state).flatMap((interaction) => pendingAuthOf(interaction) ?? [])
}

/**
 * Returns the accounts that one question waits for; null for another kind of question.
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
