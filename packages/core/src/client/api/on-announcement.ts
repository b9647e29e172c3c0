import { isOpen } from '../../machine/state/interaction.ts'
import type { Announcement, Interaction } from '../../machine/state/types.ts'
import type { HoldpointClient } from './types.ts'

/**
 * Calls back with what is worth saying aloud: asked, answered, closed. Nothing of what was there before the session was
 * ready: a replay announces nothing. Returns the way out.
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

/** What a change is worth saying aloud as. */
function news(after: Interaction, before: Interaction | undefined): Announcement['kind'] | undefined {
  if (isOpen(after)) return before ? undefined : 'asked'
  // A prompt that is asked again says so by its successor.
  if (before?.status === after.status || after.replacedBy) return undefined
  return after.status === 'answered' ? 'answered' : 'closed'
}
