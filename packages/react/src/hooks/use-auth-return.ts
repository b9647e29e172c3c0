import { handleAuthReturn, readAuthReturn } from '@holdpoint/core'
import type { AuthReturn } from '@holdpoint/core/internal'
import { useEffect, useState } from 'react'
import { useHoldpointClient } from './use-client.ts'

/** The state of the page that an authorization returns to: its outcome and its account. */
export interface AuthReturnState extends Partial<AuthReturn> {
  /**
   * `none`: no authorization returned to this page. `failed`: the provider denied access, or the server could not be
   * reached.
   */
  status: 'none' | 'reporting' | 'done' | 'failed'
}

/**
 * Handles an authorization on the page that it returns to. It finds the run by the address, asks the server to check
 * the account, notifies the window that waits, and removes the parameters from the address, so that a reload or a
 * shared link repeats nothing. The address is only a hint: the server decides whether an account is connected.
 *
 * @example
 * const { status, integration } = useAuthReturn()
 * if (status === 'done') toast(`${integration} is connected. You can close this window.`)
 */
export function useAuthReturn(): AuthReturnState {
  const client = useHoldpointClient()
  const [state, setState] = useState<AuthReturnState>({ status: 'none' })
  useEffect(() => {
    const returned = readAuthReturn(window.location.href)
    if (!returned?.generationId) return
    setState({ status: 'reporting', ...returned })
    const connected = returned.outcome === 'connected' || returned.outcome === 'connected-fewer'
    handleAuthReturn({ client }).then(
      () => setState({ status: connected ? 'done' : 'failed', ...returned }),
      () => setState({ status: 'failed', ...returned }),
    )
  }, [client])
  return state
}
