import type { Interaction } from '@holdpoint/core'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { createDrafts } from '../../base/drafts.ts'
import { useLatest } from '../../base/use-latest.ts'
import { useSettings } from '../../settings/context.ts'

/**
 * Keeps the input of the person beside the card, so that it survives a remount of the card. A question that is asked
 * again takes over the input of the previous one. `storable` selects the values that the provider's storage may keep
 * over a reload: never secrets or files.
 */
export function useDraft<T extends object>(
  interaction: Interaction | undefined,
  initial: (kept: Partial<T> | undefined) => T,
  storable: (draft: T) => object,
): [T, (change: Partial<T>) => void] {
  const settings = useSettings()
  const [own] = useState(createDrafts)
  const drafts = settings.drafts?.(createDrafts) ?? own
  const id = interaction?.interactionId ?? ''
  const before = interaction?.replaces ?? ''
  const first = useMemo(() => initial(drafts.get(before) as Partial<T> | undefined), [id, drafts])
  const draft = useSyncExternalStore(
    drafts.subscribe,
    () => (drafts.get(id) as T | undefined) ?? first,
    () => first,
  )
  const pick = useLatest(storable)
  const change = useCallback(
    (next: Partial<T>) => {
      const changed = { ...first, ...(drafts.get(id) as T | undefined), ...next }
      drafts.set(id, changed, pick()(changed) as Readonly<Record<string, unknown>>)
    },
    [drafts, id, first, pick],
  )
  useEffect(() => {
    if (!before || !drafts.get(before)) return
    if (!drafts.get(id)) change({})
    drafts.forget(before)
  }, [drafts, id, before, change])
  return [draft, change]
}
