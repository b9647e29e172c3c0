import { type HoldpointClient, HoldpointError } from '@holdpoint/core'
import { useSettings } from '../settings/context.ts'

/**
 * Returns the client of the nearest provider.
 *
 * @example
 * const client = useHoldpointClient()
 * await client.cancelRun('run-1')
 */
export function useHoldpointClient(): HoldpointClient {
  const { client } = useSettings()
  if (!client) {
    throw new HoldpointError(
      'no_client',
      'No Holdpoint client found. Wrap this component in a <HoldpointProvider> with `options={{ sessionId, transport }}` or `client`.',
    )
  }
  return client
}
