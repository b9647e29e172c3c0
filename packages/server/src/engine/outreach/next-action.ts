import { isPending } from '../state/question.ts'
import type { QuestionRow, SentRow } from '../state/rows.ts'
import { type SettledOutcome, settledOutcome } from '../state/settled-outcome.ts'

/** The next step that makes a message show the state of its question. */
export type NextAction =
  | { do: 'nothing' }
  | { do: 'present' }
  /** The question is settled, and an earlier attempt may have sent a message whose reference was not stored. */
  | { do: 'find' }
  | { do: 'update'; state: SettledOutcome }

/** `repeat`: an earlier attempt at this delivery may have sent the message. */
export function nextAction(
  question: QuestionRow | null,
  sent: SentRow | null,
  { reminder, repeat }: { reminder: number; repeat: boolean },
): NextAction {
  if (!question) return { do: 'nothing' }
  const outcome = settledOutcome(question)
  if (outcome) {
    if (sent) return sent.shown === outcome ? { do: 'nothing' } : { do: 'update', state: outcome }
    return repeat ? { do: 'find' } : { do: 'nothing' }
  }
  if (!isPending(question)) return { do: 'nothing' }
  return !sent || sent.reminder < reminder ? { do: 'present' } : { do: 'nothing' }
}
