import type { InteractionRequestEvent } from '../../protocol/events.ts'
import { isOpen } from './interaction.ts'
import type { Answer, Interaction, SessionState } from './types.ts'

/** Something that a person may want to do. */
export type MachineAction =
  | { type: 'respond'; interactionId: string; action?: Answer['action']; approvalScope?: Answer['approvalScope'] }
  | { type: 'retry' | 'extend'; interactionId: string }
  | { type: 'connect'; interactionId: string; integration?: string }
  | { type: 'cancel_run'; runId: string }

const actions: Record<Interaction['kind'], readonly Answer['action'][]> = {
  approval: ['approve', 'deny', 'cancel'],
  input: ['submit', 'decline', 'cancel'],
  connect: ['decline', 'cancel'],
  // Whatever it asks: nobody has to stay stuck with it.
  unknown: ['decline', 'cancel'],
}

/**
 * Asks whether something can be done now, without doing it: what enables a button.
 *
 * @example
 * can(client.getSnapshot(), { type: 'respond', interactionId, action: 'approve' })
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
        (!action.action || actions[interaction.kind].includes(action.action)) &&
        (!action.approvalScope || (request.approvalScopes ?? ['once']).includes(action.approvalScope))
      )
  }
}

/** Until a snapshot has said who we are, the server decides. */
const may = ({ you }: SessionState, permission: 'respond' | 'cancel' | 'extend' | 'connect') =>
  !you || you.can.includes(permission)

/**
 * Whether this person is among those who may answer a question. Once the server has said "forbidden", they are not.
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
