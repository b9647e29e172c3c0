import { isOpen } from '../../machine/state/interaction.ts'
import type { Announcement, Interaction } from '../../machine/state/types.ts'
import type { HoldpointClient } from './types.ts'

/**
 * Calls the listener with what a screen reader should announce: a question was asked, answered or closed. Changes from
 * before the session was ready are not announced. Returns an unsubscribe function.
 *
 * @example
 * onAnnouncement(client, ({ kind, interactionId }) => {
 *   if (kind === 'asked') liveRegion.textContent = `A question waits: ${interactionId}`
 * })
 */
export function onAnnouncement(client: HoldpointClient, listener: (announcement: Announcement) => void): () => void {
  let before = client.getSnapshot()
  return client.subscribe(() => {
    const { ready, interactions } = before
    before = client.getSnapshot()
    if (!ready || before.interactions === interactions) return
    for (const [interactionId, it] of before.interactions) {
      const was = interactions.get(interactionId)
      const kind = was !== it && news(it, was)
      if (kind) listener({ kind, interactionId })
    }
  })
}

/** Returns the kind of announcement for a change, or undefined. */
function news(after: Interaction, before: Interaction | undefined): Announcement['kind'] | undefined {
  if (isOpen(after)) return before ? undefined : 'asked'
  // A question that is asked again is announced by its successor.
  if (before?.status === after.status || after.replacedBy) return undefined
  return after.status === 'answered' ? 'answered' : 'closed'
}
