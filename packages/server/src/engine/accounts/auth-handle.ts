import { AuthRequiredError } from '@holdpoint/core'
import { type AuthRequired, detectAuthRequired, integrations as known } from '@holdpoint/core/internal'
import type { WithAuthOptions } from '../api/tool-context.ts'
import type { AuthHost, Ended } from './with-auth.ts'

/**
 * Returns tokens to one attempt and records them, because a token that the service rejects afterwards is one of these.
 */
export function createHandle<I extends string>(
  { provider, principal }: Pick<AuthHost, 'provider' | 'principal'>,
  { integrations, scopes, variables = {} }: WithAuthOptions<I>,
  rejected: ReadonlySet<string>,
) {
  const issued = new Map<I, string>()

  /** Returns null if the person must be asked. Rejects if the provider cannot be reached. */
  const find = async (integration: I): Promise<string | null> => {
    const wanted = scopes?.[integration]
    const connected = async () => (await provider.status(principal, integration, wanted)).state === 'connected'
    if (!(await connected())) return null
    const token = await provider.token(principal, integration, wanted).catch(async (error: unknown) => {
      // An account that looked connected may turn out to be expired when its token is refreshed.
      if (await connected()) throw error
      return null
    })
    if (token === null || rejected.has(token)) return null
    issued.set(integration, token)
    return token
  }

  return {
    handedOut: (integration: I) => issued.get(integration),

    async token(integration: I): Promise<string> {
      if (!integrations.includes(integration)) throw new AuthRequiredError(integration)
      const token = await find(integration)
      if (token === null) throw new AuthRequiredError(integration)
      return token
    },

    async env(): Promise<Record<string, string>> {
      const env: Record<string, string> = {}
      for (const integration of integrations) {
        const variable = variableOf(integration, variables)
        const token = variable === undefined ? null : await find(integration)
        if (variable !== undefined && token !== null) env[variable] = token
      }
      return env
    },

    /** Returns the account whose absence ended the work; null if it ended for another reason, or successfully. */
    neededBy(ended: Ended<unknown>): AuthRequired | null {
      const output = 'error' in ended ? ended.error : ended.value
      const needed = detectAuthRequired(output, { integrations })
      // A 401 does not name its account. If only one token was returned, the 401 concerns that one.
      return needed ?? (issued.size === 1 ? detectAuthRequired(output, { integrations: [...issued.keys()] }) : null)
    },
  }
}

function variableOf(integration: string, variables: Readonly<Record<string, string>>): string | undefined {
  if (Object.hasOwn(variables, integration)) return variables[integration]
  return Object.hasOwn(known, integration) ? known[integration]?.variable : undefined
}
