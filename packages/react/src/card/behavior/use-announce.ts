import { cardViewOf, type Interaction } from '@holdpoint/core'
import { say } from '@holdpoint/core/internal'

import { useEffect, useRef } from 'react'
import { announceAsked } from '../../announce/announce-asked.ts'
import { isAtQuestion } from '../../base/question-in.ts'
import { useLatest } from '../../base/use-latest.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { actionText, unsentText } from '../../wording/answer-text.ts'
import { completionOf, outcomeAloud } from '../../wording/outcome-text.ts'
import { refusalOf } from '../../wording/question-text.ts'
import { type CardView, isOver } from '../elements/use-view.ts'
import type { Delivery } from './use-delivery.ts'

/** Sending that takes longer than this is announced. */
const SLOW_MS = 5_000

/**
 * Announces the changes of a card. `useAttention` may announce the same; the announcer drops the second of two equal
 * texts. A card that leaves the page because its question has ended still makes its last announcement.
 */
export function useAnnounce(
  interaction: Interaction | undefined,
  view: CardView,
  delivery: Delivery,
  toolTitle: string | undefined,
): void {
  const { announcer, messages, client, locale, clock, device, tools, integrations } = useSettings()
  const names = { tools, integrations, toolTitle }
  const latest = useLatest(names)
  const id = interaction?.interactionId
  const { state } = view
  const before = useRef(state)
  const { unsent: answer, retries } = delivery
  /** The last announced state. Automatic retries of the session are not announced one by one. */
  const unsent = useRef<{ answer?: typeof answer; retries?: number }>({})
  useEffect(() => {
    const last = before.current
    before.current = state
    if (!announcer || !interaction || id === undefined) return
    if (!isOver(state)) {
      const now = clock.now() + view.clockOffset
      if (state !== 'submitting' && state !== 'not-sent')
        announceAsked(announcer, interaction, messages, { ...names, now, locale })
      if (state === 'not-sent' && !(unsent.current.answer === answer && unsent.current.retries === retries)) {
        unsent.current = { answer, retries }
        announcer.announce(unsentText(interaction, answer, messages))
      }
      if (state === 'signed-out') announcer.announce(messages.signedOut)
      else if (state === 'disconnected') announcer.connection(false, messages.disconnected)
    } else if (last === 'approved-still-running' && state !== last) {
      announcer.announce(completionOf(interaction, state, view.callStatus, messages, names))
    } else {
      const here = { userId: view.userId, device, isHere: isAtQuestion(id) }
      announcer.settled(id, outcomeAloud(interaction, state, messages, { ...names, ...here }))
    }
  }, [announcer, id, state])
  const { disconnected } = view
  const wasDisconnected = useRef(disconnected)
  useEffect(() => {
    // Not by the state: an answer that is given without a connection changes the state, and not the connection.
    if (wasDisconnected.current && !disconnected) announcer?.connection(true, messages.connectedAgain)
    wasDisconnected.current = disconnected
  }, [announcer, disconnected])
  const { action, isSending } = delivery
  useEffect(() => {
    if (!action || action.status === 'sending') return
    const answer = actionText(action, messages)
    announcer?.announce(say(action.status === 'refused' ? messages.refused : messages.unsent, { answer }))
  }, [announcer, action])
  useEffect(() => {
    if (!isSending) return
    const timer = clock.setTimeout(() => announcer?.announce(messages.stillSending), SLOW_MS)
    return () => clock.clearTimeout(timer)
  }, [announcer, clock, isSending])
  const problem = state === 'not-sent' || state === 'signed-out' ? undefined : interaction?.problem
  useEffect(() => {
    if (!problem || !interaction) return
    const refusal = refusalOf(interaction)
    announcer?.announce(refusal ? say(messages.announceRefused, { text: refusal }) : messages.notAccepted)
  }, [announcer, problem])
  useEffect(
    () => () => {
      const session = client?.getSnapshot()
      const last = id === undefined ? undefined : session?.interactions.get(id)
      if (!session || !last || last.replacedBy || id === undefined) return
      const outcome = cardViewOf(last, session, 0).state
      if (!isOver(outcome)) return
      const here = { userId: session.you?.userId, device, isHere: false }
      announcer?.settled(id, outcomeAloud(last, outcome, messages, { ...latest(), ...here }))
    },
    [client, announcer, id, messages, device, latest],
  )
}
