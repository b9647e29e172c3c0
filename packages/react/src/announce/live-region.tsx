import { useSyncExternalStore } from 'react'
import type { Announcer } from './announcer.ts'

const nothing = () => ''

/**
 * Rendered before its first text. `aria-live` is explicit, because an open modal hides regions that only have a role.
 * The text is read as a whole and politely, after the current sentence.
 */
export function LiveRegion({ announcer }: { announcer: Announcer }) {
  const text = useSyncExternalStore(announcer.subscribe, announcer.getText, nothing)
  return (
    <div aria-live="polite" aria-atomic="true" className="hp-live hp-hidden" data-slot="live">
      {text}
    </div>
  )
}
