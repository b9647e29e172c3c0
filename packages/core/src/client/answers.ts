import { needsShownDigest } from '../json/needs-shown-digest.ts'
import { applyAnswer } from '../machine/apply/apply-answer.ts'
import { isOpen } from '../machine/state/interaction.ts'
import { same } from '../machine/state/structural-sharing.ts'
import type { Answer } from '../machine/state/types.ts'
import type { ToolInteractionResponseMessage } from '../protocol/messages.ts'

import type { SendResult } from '../transport/types.ts'
import { shownDigest } from '../wire/shown-digest.ts'
import type { HoldpointClient, RespondResult } from './api/types.ts'
import { type Core, isClosed } from './client-context.ts'
import { outcomeOf, outcomeWord, settledResult } from './outcome.ts'

/**
 * The number of answers of one `respondAll` that are sent at the same time. A browser allows six connections to an
 * origin.
 */
const AT_ONCE = 6

/** Sends answers: one at a time for each question. All retries of an answer have the same id. */
export function createAnswers(
  core: Core,
  send: (message: Omit<ToolInteractionResponseMessage, 'clientId'>) => Promise<SendResult>,
  /** Reads the session again, because the known state cannot be right. */
  resync: () => void,
): Pick<HoldpointClient, 'respond' | 'respondAll' | 'retry' | 'discard'> & { resend(): void } {
  const flying = new Map<string, { answer: Answer; sent: Promise<RespondResult> }>()
  const find = (id: string) => core.state.interactions.get(id)

  async function respond(interactionId: string, answer: Answer | undefined): Promise<RespondResult> {
    const flight = flying.get(interactionId)
    if (flight) {
      const result = await flight.sent
      const won = find(interactionId)
      // Only the answer that was sent is accepted, not another one that was given meanwhile.
      const isOther = answer && !same(flight.answer, answer)
      return isOther && won && result.status === 'accepted' ? settledResult(won) : result
    }
    if (isClosed(core)) return { status: 'not_sent', problem: clientClosed }
    const interaction = find(interactionId)
    if (interaction && !isOpen(interaction)) {
      // The client may have sent this answer again itself, and the log does not contain it yet.
      const own = interaction.answeredHere && answer && same(interaction.draft?.answer, answer)
      return own ? { status: 'accepted', replayed: true } : settledResult(interaction)
    }
    if (!interaction || !answer) return { status: 'unknown' }
    if (!core.state.interactiveMode) return { status: 'not_interactive' }
    const { draft, toolCallId: callId } = interaction
    const isRepeat = draft && same(draft.answer, answer)
    const answerId = isRepeat ? draft.answerId : core.env.id()
    // An earlier answer with the same action may have arrived although its acknowledgment did not.
    const mayBeEarlier = !isRepeat && draft?.answer.action === answer.action
    const ids = { interactionId, answerId }
    const shown = needsShownDigest(answer.action) && { shownDigest: shownDigest(interaction.request) }
    const sent = send({ ...shown, ...answer, ...ids, type: 'tool_interaction_response', callId }).then((posted) => {
      flying.delete(interactionId)
      const { result, ...outcome } = outcomeOf(posted)
      const known = find(interactionId)
      // While the request was pending, the log may have shown the outcome. The winner may also be an answer that this
      // page sent before it was reloaded.
      if (result.status === 'not_sent' && known && !isOpen(known))
        return known.answeredHere && !mayBeEarlier && known.response?.action === answer.action
          ? { status: 'accepted' as const }
          : settledResult(known)
      core.apply(applyAnswer(core.state, { ...outcome, ...ids }))
      if (result.status === 'unknown' || result.status === 'shown_differs') resync()
      return result
    })
    // Register the answer before listeners are notified, because a listener may answer again.
    flying.set(interactionId, { answer, sent })
    core.apply(applyAnswer(core.state, { type: 'submit', ...ids, answer }))
    return sent
  }

  /** Compares each question at its turn. A question that has changed since the call is not answered. */
  async function respondAll(
    answers: Parameters<HoldpointClient['respondAll']>[0],
  ): ReturnType<HoldpointClient['respondAll']> {
    const digestOf = (id: string) => {
      const interaction = find(id)
      return interaction && shownDigest(interaction.request)
    }
    const shown = answers.map(({ interactionId }) => digestOf(interactionId))
    const results: RespondResult[] = []
    let next = 0
    const work = async () => {
      for (let n = next++; n < answers.length; n = next++) {
        const { interactionId, answer } = answers[n]!
        const unchanged = digestOf(interactionId) === shown[n]
        results[n] = unchanged ? await respond(interactionId, answer) : { status: 'shown_differs' }
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, answers.length) }, work))
    return answers.map(({ interactionId }, n) => {
      const result = results[n]!
      return { interactionId, outcome: outcomeWord(result), result }
    })
  }

  /** Sends all unsent answers again, regardless of their age. Their cards show them until the person discards them. */
  function resend(): void {
    for (const [id, { status, draft }] of core.state.interactions)
      if (status === 'not_sent') void respond(id, draft?.answer)
  }

  /** Keeps the draft, so that the same answer keeps its id when it is given again. */
  function discard(interactionId: string): void {
    const { status, draft } = find(interactionId) ?? {}
    if (status !== 'not_sent' || !draft) return
    core.apply(
      applyAnswer(core.state, { type: 'rejected', interactionId, answerId: draft.answerId, status: 'pending' }),
    )
  }

  return {
    respond,
    respondAll,
    resend,
    discard,
    retry: async (interactionId) => respond(interactionId, find(interactionId)?.draft?.answer),
  }
}

const clientClosed = { code: 'client_closed', message: 'The client was closed. Call connect() and answer again.' }
