import { isOpen } from '../state/interaction.ts'
import type { MachineInput, SessionState } from '../state/types.ts'
import { type Change, change, edit as editOf, finish } from './batch.ts'

export type AnswerInput = Extract<MachineInput, { type: 'submit' | 'accepted' | 'rejected' }>

/** Applies the state of an answer of this client. */
export function applyAnswer(state: SessionState, input: AnswerInput): Change {
  const { type, interactionId, answerId } = input
  const edit = editOf(state)
  change(edit, interactionId, (it) => {
    const problem = undefined
    if (!isOpen(it)) return false
    if (type === 'submit')
      return it.status !== 'submitting' && { status: 'submitting', draft: { answerId, answer: input.answer }, problem }
    if (it.draft?.answerId !== answerId) return false
    if (type === 'accepted') return { status: 'answered', answeredHere: true, problem }
    const { status, answeredBy, answeredAt } = input
    const answeredHere = answeredBy?.clientId === state.clientId
    return { status, problem: input.problem, answeredBy, answeredAt, answeredHere }
  })
  return finish(edit, {})
}
