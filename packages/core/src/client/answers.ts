import { applyAnswer } from '../machine/apply/apply-answer.ts'
import { isOpen } from '../machine/state/interaction.ts'
import { same } from '../machine/state/structural-sharing.ts'
import type { Answer } from '../machine/state/types.ts'
import type { ToolInteractionResponseMessage } from '../protocol/messages.ts'

import type { SendResult } from '../transport/types.ts'
import { shownDigest } from '../wire/shown-digest.ts'
import type { HoldpointClient, RespondResult } from './api/types.ts'
import { type Core, isClosed } from './client-context.ts'
import { outcomeOf, settledResult } from './outcome.ts'

/** The longest pause before an answer that was not sent is sent again while the connection is open. */
const RESEND_MS = 25_000

/** Sending answers: one at a time for each question, under an id that stays the same however often one is sent. */
export function createAnswers(
  core: Core,
  send: (message: Omit<ToolInteractionResponseMessage, 'clientId'>) => Promise<SendResult>,
  /** What we know of the session cannot be right. */
  resync: () => void,
  /** A client that listens to nothing has no connection whose return it could wait for. */
  listens: () => boolean,
): Pick<HoldpointClient, 'respond' | 'retry' | 'discard'> & { resend(): void } {
  const flying = new Map<string, Promise<RespondResult>>()
  let unplan = () => {}
  const find = (id: string) => core.state.interactions.get(id)

  async function respond(interactionId: string, answer: Answer | undefined): Promise<RespondResult> {
    const flight = flying.get(interactionId)
    if (flight) return flight
    if (isClosed(core)) return { status: 'not_sent', problem: clientClosed }
    const interaction = find(interactionId)
    if (interaction && !isOpen(interaction)) return settledResult(interaction)
    if (!interaction || !answer) return { status: 'unknown' }
    if (!core.state.interactiveMode) return { status: 'not_interactive' }
    const { draft, toolCallId: callId } = interaction
    const answerId = draft && same(draft.answer, answer) ? draft.answerId : core.env.id()
    const ids = { interactionId, answerId }
    const shown = ['approve', 'submit'].includes(answer.action) && { shownDigest: shownDigest(interaction.request) }
    const sent = send({ ...shown, ...answer, ...ids, type: 'tool_interaction_response', callId }).then((posted) => {
      flying.delete(interactionId)
      const { result, ...outcome } = outcomeOf(posted)
      const known = find(interactionId)
      // The log may have told how it ended while the request hung; what won may be what this page said before its reload.
      if (result.status === 'not_sent' && known && !isOpen(known))
        return known.answeredHere && known.response?.action === answer.action
          ? { status: 'accepted' as const }
          : settledResult(known)
      core.apply(applyAnswer(core.state, { ...outcome, ...ids }))
      if (result.status === 'unknown' || result.status === 'shown_differs') resync()
      if (result.status === 'not_sent' && !isClosed(core)) {
        unplan()
        unplan = core.schedule.after(RESEND_MS * (0.5 + core.env.random() / 2), resend)
      }
      return result
    })
    // Known to be flying before anybody hears of it: a listener may answer again.
    flying.set(interactionId, sent)
    core.apply(applyAnswer(core.state, { type: 'submit', ...ids, answer }))
    return sent
  }

  /**
   * Sends again what was not sent, however long ago: its card names it until the person puts it aside. Where a connection
   * is lost, the next one does it.
   */
  function resend(): void {
    if (listens() && core.state.connection.status !== 'open') return
    for (const [id, { status, draft }] of core.state.interactions)
      if (status === 'not_sent') void respond(id, draft?.answer)
  }

  /** The draft stays, so that the same answer, given again, keeps its id. */
  function discard(interactionId: string): void {
    const { status, draft } = find(interactionId) ?? {}
    if (status !== 'not_sent' || !draft) return
    core.apply(
      applyAnswer(core.state, { type: 'rejected', interactionId, answerId: draft.answerId, status: 'pending' }),
    )
  }

  return {
    respond,
    resend,
    discard,
    retry: async (interactionId) => respond(interactionId, find(interactionId)?.draft?.answer),
  }
}

const clientClosed = { code: 'client_closed', message: 'The client was closed. Call connect() and answer again.' }
