import type { UserAction } from '@holdpoint/core'
import { useCallback, useMemo, useState } from 'react'
import { useResend } from '../settings/use-resend.ts'
import { useHoldpointClient } from './use-client.ts'

/**
 * Collects actions of the person in the interface that the agent should know. The client keeps them until they are sent
 * with the next request (`take`) or on their own (`send`).
 *
 * @example
 * const { add, take } = useUserActions()
 * add({ type: 'global_event', event: 'theme_changed', payload: { theme: 'dark' } })
 * await fetch('/chat', { method: 'POST', body: JSON.stringify({ text, userActions: take() }) })
 */
export function useUserActions(): {
  add: (action: UserAction) => void
  /** Returns the collected actions, and empties the buffer. */
  take: () => UserAction[]
  /**
   * Sends the collected actions. Actions that could not be sent are kept, and sent again when the connection is
   * restored.
   */
  send: () => Promise<void>
  status: 'idle' | 'sending' | 'not-sent'
} {
  const client = useHoldpointClient()
  const [failure, setFailure] = useState<object>()
  const [sending, setSending] = useState(0)
  const send = useCallback(async () => {
    setSending((before) => before + 1)
    try {
      await client.sendUserActions()
      setFailure(undefined)
    } catch (error) {
      setFailure({})
      throw error
    } finally {
      setSending((before) => before - 1)
    }
  }, [client])
  useResend(failure, () => void send().catch(() => {}))
  const status = sending > 0 ? 'sending' : failure ? 'not-sent' : 'idle'
  return useMemo(
    () => ({
      add: (action) => client.bufferAction(action),
      take: () => client.takeActions(),
      send,
      status,
    }),
    [client, send, status],
  )
}
