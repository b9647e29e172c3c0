import { HoldpointError } from '@holdpoint/core'
import type { Principal } from '../../base/principal.ts'
import type { AccountProvider } from '../api/account-provider.ts'
import type { Execution } from '../calls/execution.ts'
import type { Kernel } from '../kernel/kernel.ts'

export const CONNECT_TIMEOUT_MS = 10 * 60_000

export function accountProvider(kernel: Kernel): AccountProvider {
  const { accounts } = kernel.settings
  if (accounts) return accounts
  throw new HoldpointError(
    'accounts_not_configured',
    'connect() needs an account provider. Pass accounts: an AccountProvider (our broker, better-auth, or three functions of your own) to createHoldpoint.',
  )
}

export function principalOf({ identity: { userId, tenant } }: Pick<Execution, 'identity'>): Principal {
  return { userId, ...(tenant !== '' && { tenant }) }
}
