import type { Interaction } from '@holdpoint/core'
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import { useSettings } from '../context.ts'
import { createDrafts } from './drafts.ts'

/**
 * What the person has typed so far. It is kept beside the card, so that it survives whatever the card goes through; a
 * question that is asked again starts with what was typed into the one before.
 */
export function useDraft<T extends object>(
  interaction: Interaction | undefined,
  initial: (kept: Partial<T> | undefined) => T,
): [T, (change: Partial<T>) => void] {
  const settings = useSettings()
  const [own] = useState(createDrafts)
  const drafts = settings.drafts ?? own
  const id = interaction?.interactionId ?? ''
  const first = useMemo(() => initial(drafts.get(before(interaction)) as Partial<T> | undefined), [id, drafts])
  const draft = useSyncExternalStore(
    drafts.subscribe,
    () => (drafts.get(id) as T | undefined) ?? first,
    () => first,
  )
  const change = useCallback(
    (next: Partial<T>) => drafts.set(id, { ...first, ...drafts.get(id), ...next }),
    [drafts, id, first],
  )
  return [draft, change]
}

const before = (interaction: Interaction | undefined) => interaction?.replaces ?? ''
