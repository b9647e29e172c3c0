import type { InteractionRequestEvent } from '../../protocol/events.ts'
import { answerActions, isOpen } from './interaction.ts'
import type { Answer, Interaction, SessionState } from './types.ts'

/** An action of the person, as `can` checks it. */
export type MachineAction =
  | { type: 'respond'; interactionId: string; action?: Answer['action']; approvalScope?: Answer['approvalScope'] }
  | { type: 'retry' | 'extend'; interactionId: string }
  | { type: 'connect'; interactionId: string; integration?: string }
  | { type: 'cancel_run'; runId: string }

/**
 * Returns whether an action is possible now, for example to enable a button.
 *
 * @example can(client.getSnapshot(), { type: 'respond', interactionId, action: 'approve' })
 */
export function can(state: SessionState, action: MachineAction): boolean {
  if (state.connection.status === 'closed') return false
  if (action.type === 'cancel_run') {
    const status = state.runs.get(action.runId)?.status
    return may(state, 'cancel') && !!status && !['completed', 'cancelled', 'error'].includes(status)
  }
  const interaction = state.interactions.get(action.interactionId)
  if (!interaction || !isOpen(interaction) || !state.interactiveMode) return false
  const request = interaction.request as InteractionRequestEvent
  switch (action.type) {
    case 'extend':
      return request.extendable === true && !interaction.deferred && may(state, 'extend')
    case 'connect':
      return (
        interaction.kind === 'connect' &&
        may(state, 'connect') &&
        (!action.integration || !interaction.connected.includes(action.integration))
      )
    case 'retry':
      return interaction.status === 'not_sent' && mayAnswer(state, interaction)
    case 'respond':
      return (
        interaction.status !== 'submitting' &&
        mayAnswer(state, interaction) &&
        (!action.action || answerActions[interaction.kind].includes(action.action)) &&
        (!action.approvalScope || (request.approvalScopes ?? ['once']).includes(action.approvalScope))
      )
  }
}

/** Until a snapshot has named the principal, the server decides. */
const may = ({ you }: SessionState, permission: 'respond' | 'cancel' | 'extend' | 'connect') =>
  !you || you.can.includes(permission)

/**
 * Returns whether this person may answer a question. After the response "forbidden" the result is false.
 *
 * @example
 * const state = client.getSnapshot()
 * const mine = selectPending(state).filter((question) => mayAnswer(state, question))
 */
export function mayAnswer(state: SessionState, interaction: Interaction): boolean {
  const { audience } = interaction.request as InteractionRequestEvent
  if (interaction.problem?.code === 'forbidden') return false
  return may(state, 'respond') || !!audience?.includes(state.you!.userId)
}
