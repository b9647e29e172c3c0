import type { Interaction, MachineInput } from '../machine/state/types.ts'
import type { SendResult } from '../transport/types.ts'
import type { RespondResult } from './api/types.ts'
import { errorOf, succeeded } from './client-context.ts'

/** The change for the machine without the answer's id, and the result of `respond`. */
export type Outcome = (
  | { type: 'accepted' }
  | Omit<Extract<MachineInput, { type: 'rejected' }>, 'interactionId' | 'answerId'>
) & { result: RespondResult }

/** Computes what the response to an answer means for the question and for the caller of `respond`. Pure. */
export function outcomeOf(posted: SendResult): Outcome {
  const { status: http, body } = posted
  if (succeeded(posted)) {
    const replayed = (body as { replayed?: unknown } | null | undefined)?.replayed === true
    return { type: 'accepted', result: { status: 'accepted', ...(replayed && { replayed }) } }
  }
  const { code, message, fieldErrors, respondedBy: answeredBy, respondedAt: answeredAt } = errorOf(posted)
  const type = 'rejected'
  const settled = code === 'already_answered' ? 'answered' : isGone(code) && code
  if (settled) {
    const how = { status: settled, answeredBy, answeredAt } as const
    return { type, ...how, result: settledResult(how) }
  }
  const problem = { code, message, ...(fieldErrors && { fieldErrors }) }
  const open = (reason: OpenStatus): Outcome => ({
    type,
    status: 'pending',
    problem,
    result: { status: reason, problem },
  })
  if (http === 404) return open('unknown')
  if (http === 403) return open('forbidden')
  if (code === 'not_interactive' || code === 'shown_differs') return open(code)
  // The person has to correct what no retry can fix.
  if ([400, 413, 415, 422].includes(http) || code === 'answer_id_reused') return open('invalid')
  return { type, status: 'not_sent', problem, result: { status: 'not_sent', problem } }
}

/** Returns a result in one word, for one of many answers. Pure. */
export function outcomeWord({ status }: RespondResult): 'accepted' | 'conflict' | 'refused' | 'unsent' {
  if (status === 'accepted') return status
  if (status === 'not_sent') return 'unsent'
  return status === 'already_answered' || isGone(status) ? 'conflict' : 'refused'
}

type OpenStatus = 'unknown' | 'forbidden' | 'not_interactive' | 'shown_differs' | 'invalid'
type Gone = 'expired' | 'cancelled' | 'superseded'
const isGone = (status: string): status is Gone => ['expired', 'cancelled', 'superseded'].includes(status)

/** Returns the result of `respond` for a question that is no longer open. Pure. */
export const settledResult = ({
  status,
  answeredBy,
  answeredAt,
}: Pick<Interaction, 'status' | 'answeredBy' | 'answeredAt'>): RespondResult =>
  isGone(status)
    ? { status }
    : {
        status: 'already_answered',
        ...(answeredBy && { respondedBy: answeredBy }),
        ...(answeredAt && { respondedAt: answeredAt }),
      }
