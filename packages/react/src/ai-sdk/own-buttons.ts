import { type Answer, HoldpointError, type Interaction, type RespondResult } from '@holdpoint/core'

/** What a yes or no of the application's own buttons says to a question. */
export function answerOf({ kind }: Interaction, approved: boolean, reason: string | undefined): Answer {
  const why = reason === undefined ? {} : { reason }
  if (kind === 'approval') return { action: approved ? 'approve' : 'deny', ...why }
  if (!approved) return { action: kind === 'input' ? 'decline' : 'cancel', ...why }
  throw new HoldpointError(
    'answer_needs_card',
    'A yes does not answer this question: it asks for values or accounts. Show it with <HoldpointPart part={part} message={message} />.',
  )
}

/** An answer that did not arrive must not look as if it had. One that came second did no harm: the first one counts. */
export function mustArrive(result: RespondResult): void {
  if (result.status === 'not_sent' || result.status === 'invalid') {
    throw new HoldpointError(result.problem.code, result.problem.message)
  }
  if (result.status === 'forbidden' || result.status === 'not_interactive') {
    throw new HoldpointError(
      result.status,
      'This person, or this page, may not answer the question. Ask somebody who may; nothing was approved.',
    )
  }
}

export function notKnownYet(): HoldpointError {
  return new HoldpointError(
    'interaction_not_known',
    'The session has not told of this question yet, so it cannot be answered. Wait until the connection is open, then answer again.',
  )
}
