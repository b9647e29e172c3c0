import { type Interaction, viewOf } from '@holdpoint/core'
import { useEffect } from 'react'
import { outcomeOf } from '../shared/outcome.ts'
import { gistOf } from '../shared/request.ts'
import { type CardView, isOver } from '../shared/use-view.ts'
import { useSettings } from './use-settings.ts'

/**
 * Says what happens to a card. `useAttention` may say the same; whoever comes second is not heard. A card that leaves
 * the page because its question is over has the last word all the same.
 */
export function useAnnounce(interaction: Interaction | undefined, view: CardView): void {
  const { announcer, messages, client } = useSettings()
  const id = interaction?.interactionId
  const { state } = view
  useEffect(() => {
    if (!announcer || !interaction || id === undefined) return
    if (isOver(state)) announcer.settled(id, outcomeOf(interaction, state, messages))
    else if (state !== 'submitting' && state !== 'not-sent')
      announcer.asked(id, gistOf(interaction, messages), messages)
    if (state === 'not-sent') announcer.say(messages.notSent)
  }, [announcer, id, state])
  const problem = state === 'not-sent' ? undefined : interaction?.problem
  useEffect(() => {
    if (problem) announcer?.say(messages.notAccepted)
  }, [announcer, problem])
  useEffect(
    () => () => {
      const session = client?.getSnapshot()
      const last = id === undefined ? undefined : session?.interactions.get(id)
      if (!session || !last || last.replacedBy || id === undefined) return
      const outcome = viewOf(last, session, 0).state
      if (isOver(outcome)) announcer?.settled(id, outcomeOf(last, outcome, messages))
    },
    [client, announcer, id, messages],
  )
}
