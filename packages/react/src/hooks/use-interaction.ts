import type { Interaction } from '@holdpoint/core'
import { useHoldpointClient } from './use-client.ts'
import { useTopic } from './use-topic.ts'

/**
 * Returns one question in any state; undefined while the client does not know it.
 *
 * @example
 * const question = useInteraction(id)
 * return question?.status === 'pending' ? <InteractionView interaction={question} /> : null
 */
export function useInteraction(interactionId: string): Interaction | undefined {
  const client = useHoldpointClient()
  return useTopic(client, `interaction:${interactionId}`, (state) => state.interactions.get(interactionId))
}
