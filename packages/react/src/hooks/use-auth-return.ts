import { type AuthReturn, handleAuthReturn, readAuthReturn } from '@holdpoint/core'
import { useEffect, useState } from 'react'
import { useHoldpointClient } from './use-client.ts'

/** What the page that an authorization returns to can show: whether it has ended well, and for which account. */
export interface AuthReturnState extends Partial<AuthReturn> {
  /** `none`: this page was not returned to. `failed`: the provider said no, or the server could not be told. */
  status: 'none' | 'reporting' | 'done' | 'failed'
}

/**
 * For the page that an authorization returns to: finds its run by the address, tells the server to look, tells the
 * window that waits, and takes the traces out of the address, so that a reload or a shared link repeats nothing. What
 * the address says is a hint and no more: only the server decides that an account is connected.
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
    if (!returned) return
    setState({ status: 'reporting', ...returned })
    const connected = returned.outcome === 'connected' || returned.outcome === 'connected-fewer'
    handleAuthReturn({ client }).then(
      () => setState({ status: connected ? 'done' : 'failed', ...returned }),
      () => setState({ status: 'failed', ...returned }),
    )
  }, [client])
  return state
}
