import { type HoldpointClient, HoldpointError } from '@holdpoint/core'
import { useSettings } from '../context.ts'

/**
 * The client of the nearest provider.
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
      'A Holdpoint hook was used where no client is. Wrap the part of the page that uses it in <HoldpointProvider client={createHoldpointClient({ … })}>.',
    )
  }
  return client
}
