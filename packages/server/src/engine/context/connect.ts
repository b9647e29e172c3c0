import { HoldpointError } from '@holdpoint/core'
import type { AuthNeededEvent } from '@holdpoint/core/internal'

import { digestOf } from '../../base/canonical-json.ts'
import { accountProvider, CONNECT_TIMEOUT_MS, principalOf } from '../accounts/provider.ts'
import type { AuthHost } from '../accounts/with-auth.ts'
import type { AccountProvider, AccountStatus } from '../api/account-provider.ts'
import type { Account, Connected, ConnectOptions, Outcome, Refused } from '../api/questions.ts'
import type { Asking } from '../asking/open-question.ts'
import type { Execution } from '../calls/execution.ts'
import { retryUntilStored } from '../kernel/retry-until-stored.ts'
import { iso } from '../state/question-events.ts'
import type { Answered } from '../state/rows.ts'
import { askAndWait, nextName, type PreparedQuestion } from '../waiting/ask-and-wait.ts'
import { orRefuse, refusedOf } from './outcome.ts'
import type { ToolParticipant } from './tool-participant.ts'

/** Asks for missing accounts, and continues when all are connected. It does not ask for connected ones. */
export async function tryConnect<I extends string>(
  participant: ToolParticipant,
  options: ConnectOptions<I>,
): Promise<Connected<I> | Refused> {
  const { kernel, execution } = participant
  const provider = accountProvider(kernel)
  const integrations = [...new Set(options.integrations)]
  if (integrations.length === 0) throw noIntegrations()
  try {
    const key = options.key ?? `connect:${[...integrations].sort().join(',')}`
    const states = await Promise.all(
      integrations.map((one) => provider.status(principalOf(execution), one, options.scopes?.[one])),
    )
    const missing = integrations.filter((_one, index) => states[index]?.state !== 'connected')
    // Asked before a crash: the outcome of that question belongs to this call.
    if (missing.length > 0 || (await wasAsked(participant, key))) {
      const interacted = await askAndWait(participant, connectQuestion(participant, options, key, integrations, states))
      const recorded = (interacted.type === 'value' ? interacted.value : undefined) as
        | Refused
        | { outcome: 'connected' }
      if (recorded.outcome !== 'connected') return recorded
    }
    return { outcome: 'connected', accounts: accountsOf(provider, execution, options, integrations) }
  } catch (error) {
    return refusedOf(error)
  }
}

function accountsOf<I extends string>(
  provider: AccountProvider,
  execution: Execution,
  { scopes }: ConnectOptions<I>,
  integrations: readonly I[],
): Record<I, Account> {
  const accounts: Partial<Record<I, Account>> = {}
  for (const integration of integrations) {
    const token = () => provider.token(principalOf(execution), integration, scopes?.[integration])
    accounts[integration] = { integration, token }
  }
  return accounts as Record<I, Account>
}

function connectQuestion<I extends string>(
  { execution }: ToolParticipant,
  options: ConnectOptions<I>,
  key: string,
  integrations: readonly I[],
  states: readonly AccountStatus[],
): PreparedQuestion {
  const { reason, scopes = {}, timeoutMs = CONNECT_TIMEOUT_MS, whenUnavailable = 'wait' } = options
  const connected = integrations.filter((_one, index) => states[index]?.state === 'connected')
  const wanted = Object.fromEntries(
    Object.entries(scopes).map(([integration, list]) => [integration, [...(list as readonly string[])]]),
  )
  return {
    key,
    kind: 'connect',
    digest: digestOf(['connect', integrations, wanted]),
    timeoutMs,
    shortcut: true,
    onTimeout: false,
    event: (asking) =>
      authNeeded(execution, asking, { integrations, connected, states, scopes: wanted, reason, timeoutMs }),
    connected,
    scopes: wanted,
    behavior: { onResponse: judgeConnection },
    whenUnavailable,
    audience: [],
  }
}

function judgeConnection({ action, reason }: Answered): Outcome {
  if (action === 'submit') return { complete: { outcome: 'connected' } }
  const outcome = action === 'decline' ? 'declined' : 'cancelled'
  return { complete: { outcome, ...(reason !== undefined && { reason }) } }
}

function authNeeded(
  { identity }: Execution,
  { interactionId, now }: Asking,
  asked: {
    integrations: readonly string[]
    connected: readonly string[]
    states: readonly AccountStatus[]
    scopes: Record<string, string[]>
    reason: string | undefined
    timeoutMs: number
  },
): AuthNeededEvent {
  const { sessionId, runId, toolCallId, toolName } = identity
  const { integrations, connected, scopes, reason } = asked
  const causes = integrations.flatMap((integration, index) => {
    const state = asked.states[index]?.state
    return state === undefined || state === 'connected' ? [] : [[integration, state] as const]
  })
  return {
    type: 'auth_needed',
    timestamp: iso(now),
    ...{ sessionId, runId, toolCallId, toolName, interactionId },
    generationId: runId,
    conversationId: sessionId,
    integrations: [...integrations],
    ...(connected.length > 0 && { connected: [...connected] }),
    ...(Object.keys(scopes).length > 0 && { scopes }),
    causes: Object.fromEntries(causes),
    ...(reason !== undefined && { reason }),
    expiresAt: iso(now + asked.timeoutMs),
  }
}

/** Whether an earlier execution asked what comes next under this key. */
async function wasAsked({ kernel, execution }: ToolParticipant, key: string): Promise<boolean> {
  await retryUntilStored(kernel, () => kernel.ready())
  const [call] = await retryUntilStored(kernel, () =>
    kernel.transact(execution.partition, (tx) => tx.read(['call', execution.id])),
  )
  return call?.keys[nextName(execution, key)] !== undefined
}

/** The functions of its call that `withAuth` needs. */
export function authHost(participant: ToolParticipant): AuthHost {
  const { kernel, execution } = participant
  return {
    provider: accountProvider(kernel),
    principal: principalOf(execution),
    signal: execution.signal,
    turn: execution.count('withAuth'),
    asked: (key) => wasAsked(participant, key),
    connect: async (options) => orRefuse(await tryConnect(participant, options)),
  }
}

function noIntegrations(): HoldpointError {
  return new HoldpointError('invalid_request', 'connect() was called without integrations. Name at least one.')
}
