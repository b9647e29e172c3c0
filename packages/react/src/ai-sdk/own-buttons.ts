import {
  type Answer,
  type HoldpointClient,
  HoldpointError,
  type HoldpointErrorCode,
  type Interaction,
  type RespondResult,
} from '@holdpoint/core'
import type { Clock } from '../base/clock.ts'

/** Converts a press of the application's own buttons to an answer. */
export function answerOf({ kind }: Interaction, approved: boolean, reason: string | undefined): Answer {
  const why = reason === undefined ? {} : { reason }
  if (kind === 'approval') return { action: approved ? 'approve' : 'deny', ...why }
  if (!approved) return { action: kind === 'input' ? 'decline' : 'cancel', ...why }
  throw new HoldpointError(
    'answer_needs_card',
    'A yes does not answer this question: it asks for values or accounts. Show it with <HoldpointPart part={part} message={message} />.',
  )
}

/** An answer that was not sent must not look accepted. A second answer needs no error, because the first one counts. */
export function mustArrive(result: RespondResult): void {
  if (result.status === 'not_sent' || result.status === 'invalid') {
    throw new HoldpointError(result.problem.code as HoldpointErrorCode, result.problem.message)
  }
  if (result.status === 'forbidden' || result.status === 'not_interactive') {
    throw new HoldpointError(
      result.status,
      'This user or this page may not answer the question. Another user has to answer it; nothing was approved.',
    )
  }
}

const KNOWN_WITHIN_MS = 10_000

/**
 * The chat and the session have separate streams, so a button may be pressed before the session's stream contains the
 * question.
 */
export async function soon(
  client: Pick<HoldpointClient, 'subscribe'>,
  find: () => Interaction | undefined,
  clock: Clock,
): Promise<Interaction> {
  return await new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      unsubscribe()
      clock.clearTimeout(timer)
      act()
    }
    const unsubscribe = client.subscribe(() => {
      const found = find()
      if (found) settle(() => resolve(found))
    })
    const timer = clock.setTimeout(() => settle(() => reject(notKnown())), KNOWN_WITHIN_MS)
  })
}

function notKnown(): HoldpointError {
  return new HoldpointError(
    'interaction_not_known',
    'The session did not contain this question within 10 seconds, so it was not answered. Check that the client has the sessionId of the chat and is connected, then answer again.',
  )
}
