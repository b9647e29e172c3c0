import { type HoldpointClient, viewOf } from '@holdpoint/core'
import type { SpokenMessages } from '../messages/spoken.ts'
import { outcomeOf } from '../shared/outcome.ts'
import { gistOf } from '../shared/request.ts'
import type { Announcer } from './announcer.ts'

/** Tells the announcer what begins and ends to wait, where no card does. Returns the way out. */
export function watchQuestions(
  client: HoldpointClient,
  announcer: Announcer,
  messages: () => SpokenMessages,
): () => void {
  let waiting: ReadonlySet<string> = new Set()
  const look = () => {
    const session = client.getSnapshot()
    const { pendingIds, interactions } = session
    const before = waiting
    waiting = new Set(pendingIds)
    for (const id of pendingIds) {
      const interaction = interactions.get(id)
      if (interaction && !before.has(id)) announcer.asked(id, gistOf(interaction, messages()), messages())
    }
    for (const id of before) {
      const interaction = waiting.has(id) ? undefined : interactions.get(id)
      // Asked again: the next prompt is announced in its place.
      if (!interaction || interaction.replacedBy) continue
      announcer.settled(id, outcomeOf(interaction, viewOf(interaction, session, 0).state, messages()))
    }
  }
  look()
  return client.subscribe(look, 'pending')
}
