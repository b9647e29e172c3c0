import { HoldpointError } from '@holdpoint/core'
import type { Principal } from '../../base/principal.ts'
import type { AccountProvider } from '../api/account-provider.ts'
import type { ConnectOptions } from '../api/questions.ts'
import type { Auth, WithAuthOptions } from '../api/tool-context.ts'
import { createHandle } from './auth-handle.ts'

/** The call that the work is a part of. */
export interface AuthHost {
  readonly provider: AccountProvider
  readonly principal: Principal
  readonly signal: AbortSignal
  /** The number of this `withAuth` within its execution. A re-run in the same order gets the same numbers. */
  readonly turn: number
  /** Whether an earlier execution of this call asked under this key. */
  asked(key: string): Promise<boolean>
  /** Asks the person, unless all accounts are connected. Rejects if the person does not connect them. */
  connect(options: ConnectOptions<string>): Promise<unknown>
}

const MAX_REASON = 300

/**
 * Runs work. If it fails because an account is missing, asks for the account and runs the work once more. A token that
 * was used and rejected is reported to the provider, and never used again by this work.
 */
export async function withAuth<T, Integration extends string>(
  host: AuthHost,
  work: (auth: Auth<Integration>) => T | Promise<T>,
  options: WithAuthOptions<Integration>,
): Promise<T> {
  const { integrations, key = `auth#${host.turn}`, variables: _variables, reason, ...connectOptions } = options
  const asked = new Set<Integration>()
  const rejected = new Set<string>()
  const ask = async (integration: Integration, message: string | undefined) => {
    asked.add(integration)
    // The tool's own message is used if there is no reason. It is shown, so its length is limited.
    const why = reason ?? message?.slice(0, MAX_REASON)
    const question = { ...connectOptions, key: `${key}:${integration}`, integrations: [integration] }
    await host.connect({ ...question, ...(why !== undefined && { reason: why }) })
  }

  // An earlier execution of this call asked here, so the outcome of its questions belongs to this call.
  for (const integration of integrations) {
    if (await host.asked(`${key}:${integration}`)) await ask(integration, undefined)
  }
  for (let attempt = 1; ; attempt++) {
    const handle = createHandle(host, options, rejected)
    const ended = await runWork(work, { attempt, signal: host.signal, token: handle.token, env: handle.env })
    const needed = handle.neededBy(ended)
    if (!needed) {
      if ('error' in ended) throw ended.error
      return ended.value
    }
    const integration = needed.integration as Integration
    const token = handle.handedOut(integration)
    if (token !== undefined) await reject(host, integration, token, rejected, connectOptions.scopes?.[integration])
    if (asked.has(integration)) throw stillRequired(integration)
    if ('value' in ended && ended.value instanceof Response) await ended.value.body?.cancel().catch(() => {})
    await ask(integration, needed.message)
  }
}

export type Ended<T> = { value: T } | { error: unknown }

async function runWork<T, I extends string>(work: (auth: Auth<I>) => T | Promise<T>, auth: Auth<I>): Promise<Ended<T>> {
  try {
    return { value: await work(auth) }
  } catch (error) {
    return { error }
  }
}

/**
 * Reports a rejected token and refreshes it if that needs no person, so that `connect` sees whether the account is
 * still valid.
 */
async function reject(
  { provider, principal }: AuthHost,
  integration: string,
  token: string,
  rejected: Set<string>,
  scopes: readonly string[] | undefined,
): Promise<void> {
  rejected.add(token)
  await provider.reject?.(principal, integration, token)
  await provider.token(principal, integration, scopes).catch(() => {})
}

function stillRequired(integration: string): HoldpointError {
  return new HoldpointError(
    'auth_still_required',
    `The ${integration} account is connected, but the tool still reports it as missing. Pass the token with auth.env() or auth.token(), in the variable the tool reads; if it already reads that variable, reconnect the account with the required permissions.`,
    { details: { integration } },
  )
}
