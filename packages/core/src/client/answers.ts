import { isOpen } from '../machine/interaction.ts'
import { same } from '../machine/keep.ts'
import type { ToolInteractionResponseMessage } from '../protocol/index.ts'
import type { Core, Posted } from './core.ts'
import { outcomeOf, settledResult } from './outcome.ts'
import type { HoldpointClient, RespondResult } from './types.ts'

/** Sending answers: one at a time for each question, under an id that stays the same however often one is sent. */
export function createAnswers(
  core: Core,
  send: (message: Omit<ToolInteractionResponseMessage, 'clientId'>) => Promise<Posted>,
  /** What we know of the session cannot be right. */
  resync: () => void,
): Pick<HoldpointClient, 'respond' | 'retry'> {
  const flying = new Map<string, Promise<RespondResult>>()
  const find = (id: string) => core.state.interactions.get(id)

  const respond: HoldpointClient['respond'] = async (interactionId, answer) => {
    const flight = flying.get(interactionId)
    if (flight) return flight
    const interaction = find(interactionId)
    if (core.phase === 'closed') return { status: 'not_sent', problem: clientClosed }
    if (!interaction) return { status: 'unknown' }
    if (!isOpen(interaction)) return settledResult(interaction)
    if (!core.state.interactiveMode) return { status: 'not_interactive' }
    const { draft, toolCallId: callId } = interaction
    const answerId = draft && same(draft.answer, answer) ? draft.answerId : core.env.id()
    const ids = { interactionId, answerId }
    const sent = send({ ...answer, ...ids, type: 'tool_interaction_response', callId }).then((posted) => {
      flying.delete(interactionId)
      return conclude(ids, posted)
    })
    // Known to be flying before anybody hears of it: a listener may answer again.
    flying.set(interactionId, sent)
    core.apply({ type: 'submit', ...ids, answer })
    return sent
  }

  function conclude(ids: { interactionId: string; answerId: string }, posted: Posted): RespondResult {
    const { result, status, ...said } = outcomeOf(posted)
    const known = find(ids.interactionId)
    // The log may have told how it ended while the request hung.
    if (status === 'not_sent' && known && !isOpen(known))
      return known.answeredHere ? { status: 'accepted' } : settledResult(known)
    core.apply(status === 'accepted' ? { type: status, ...ids } : { type: 'rejected', status, ...ids, ...said })
    if (result.status === 'unknown') resync()
    return result
  }

  return {
    respond,
    async retry(interactionId) {
      const interaction = find(interactionId)
      if (interaction?.draft) return respond(interactionId, interaction.draft.answer)
      return interaction && !isOpen(interaction) ? settledResult(interaction) : { status: 'unknown' }
    },
  }
}

const clientClosed = { code: 'client_closed', message: 'The client was closed. Call connect() and answer again.' }
