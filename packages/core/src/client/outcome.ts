import type { Answerer, AnswerProblem, Interaction } from '../machine/types.ts'
import { errorOf, type Posted, succeeded } from './core.ts'
import type { RespondResult } from './types.ts'

export interface Outcome {
  /** What the question is now; 'accepted': ours won. */
  status: 'accepted' | 'pending' | 'not_sent' | 'answered' | 'expired' | 'cancelled' | 'superseded'
  problem?: AnswerProblem
  answeredBy?: Answerer | undefined
  answeredAt?: string | undefined
  result: RespondResult
}

type Gone = 'expired' | 'cancelled' | 'superseded'
const isGone = (status: string): status is Gone => ['expired', 'cancelled', 'superseded'].includes(status)

/** What a server's answer to an answer means: for the question, and for whoever called `respond`. Pure. */
export function outcomeOf(posted: Posted): Outcome {
  const { status } = posted
  if (succeeded(posted)) {
    const replayed = (posted.body as { replayed?: unknown } | null | undefined)?.replayed === true
    return { status: 'accepted', result: { status: 'accepted', ...(replayed && { replayed }) } }
  }
  const { code, message, fieldErrors, respondedBy, respondedAt } = errorOf(posted)
  const problem: AnswerProblem = { code, message, ...(fieldErrors && { fieldErrors }) }
  if (code === 'already_answered')
    return {
      status: 'answered',
      answeredBy: respondedBy,
      answeredAt: respondedAt,
      result: settledResult({ status: 'answered', answeredBy: respondedBy, answeredAt: respondedAt }),
    }
  if (isGone(code)) return { status: code, result: { status: code } }
  const open = (result: RespondResult): Outcome => ({ status: 'pending', problem, result })
  if (status === 404) return open({ status: 'unknown' })
  if (status === 403) return open({ status: 'forbidden' })
  if (code === 'not_interactive') return open({ status: code })
  // What no repetition will mend is for the person to mend.
  if ([400, 413, 415, 422].includes(status) || code === 'answer_id_reused') return open({ status: 'invalid', problem })
  return { status: 'not_sent', problem, result: { status: 'not_sent', problem } }
}

/** What `respond` says of a question that is not open any more. Pure. */
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
