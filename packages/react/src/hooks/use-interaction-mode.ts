import { useCallback } from 'react'
import { useHoldpointClient } from './use-client.ts'
import { useTopic } from './use-topic.ts'

/**
 * Returns whether this client answers questions, and a function that changes it. If it is off, questions can be read
 * but not answered.
 *
 * @example
 * const { enabled, setEnabled } = useInteractionMode()
 * return <Switch checked={enabled} onCheckedChange={setEnabled} />
 */
export function useInteractionMode(): { enabled: boolean; setEnabled: (enabled: boolean) => void } {
  const client = useHoldpointClient()
  const enabled = useTopic(client, 'mode', (state) => state.interactiveMode) ?? true
  const setEnabled = useCallback((next: boolean) => client.setInteractionMode(next), [client])
  return { enabled, setEnabled }
}
