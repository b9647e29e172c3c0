import type { Interaction, SessionState } from '@holdpoint/core'
import { useMemo } from 'react'
import { useHoldpointClient } from './use-client.ts'
import { useTopic } from './use-topic.ts'

/** A selector whose result stays the same array while its members stay the same. */
function listOf(select: (state: SessionState) => readonly Interaction[]) {
  let last: readonly Interaction[] = []
  return (state: SessionState): readonly Interaction[] => {
    const next = select(state)
    const same = next.length === last.length && next.every((one, index) => one === last[index])
    if (!same) last = next
    return last
  }
}

const pendingOf = ({ pendingIds, interactions }: SessionState) => pendingIds.flatMap((id) => interactions.get(id) ?? [])

/**
 * Returns the questions that wait for an answer, oldest first.
 *
 * @example
 * const pending = usePendingInteractions()
 * return <p>{pending.length} waiting</p>
 */
export function usePendingInteractions(): readonly Interaction[] {
  const client = useHoldpointClient()
  const read = useMemo(() => listOf(pendingOf), [client])
  return useTopic(client, undefined, read) ?? []
}

/**
 * Returns all questions of the session, oldest first, including those that have ended.
 *
 * @example {useInteractions().map((one) => <InteractionView key={one.interactionId} interaction={one} />)}
 */
export function useInteractions(): readonly Interaction[] {
  const client = useHoldpointClient()
  const read = useMemo(() => listOf((state) => [...state.interactions.values()]), [client])
  return useTopic(client, undefined, read) ?? []
}

/**
 * Returns the open questions for accounts.
 *
 * @example
 * const [waiting] = usePendingAuth()
 */
export function usePendingAuth(): readonly Interaction[] {
  const client = useHoldpointClient()
  const read = useMemo(() => listOf((state) => pendingOf(state).filter((one) => one.kind === 'connect')), [client])
  return useTopic(client, undefined, read) ?? []
}
