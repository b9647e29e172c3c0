import { useSyncExternalStore } from 'react'
import type { Announcer } from './announcer.ts'

const nothing = () => ''

/**
 * There before anything is said. `aria-live` is written out, because an open modal hides what has only a role. Reads
 * what is said as one; politely, so that it waits for the end of a sentence.
 */
export function LiveRegion({ announcer }: { announcer: Announcer }) {
  const text = useSyncExternalStore(announcer.subscribe, announcer.getText, nothing)
  return (
    <div aria-live="polite" aria-atomic="true" className="hp-live hp-hidden" data-slot="live">
      {text}
    </div>
  )
}
