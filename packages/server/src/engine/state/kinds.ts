import {
  type AnswerAction,
  type AuthResultEvent,
  answerActions,
  type InteractionClosedEvent,
  type InteractionResponseEvent,
  type RunStatus,
} from '@holdpoint/core/internal'
import { authResultEvent, closedEvent, responseEvent } from './question-events.ts'
import type { Answered, QuestionKind, QuestionRow } from './rows.ts'
import type { SettledOutcome } from './settled-outcome.ts'

/** How a question ends without an answer. */
export type Unanswered = 'expired' | 'cancelled' | 'superseded'

/** The differences between the kinds of questions. All other code of the engine treats them alike. */
export interface KindRules {
  /** The status of a run that waits for such a question. */
  runStatus: RunStatus
  /** The answers that a client can send. */
  actions: readonly AnswerAction[]
  /** The outcome of an answer with the action `submit`. */
  submitted: SettledOutcome
  /** Whether users other than the owner of the session can be asked. */
  ownerOnly: boolean
  /** The reason with which the run is cancelled when the question expires. Absent if the run continues. */
  expiryCancelsRun?: string
  /** The accounts that the question asks for. */
  accounts(row: QuestionRow): readonly string[]
  /** The event of an answer in time. */
  answered(row: QuestionRow, answered: Answered): InteractionResponseEvent | AuthResultEvent
  /** Returns the field of the row that stores the event of an end without an answer. */
  unanswered(
    row: QuestionRow,
    status: Unanswered,
    now: number,
    reason?: string,
  ): { closed: InteractionClosedEvent } | { response: AuthResultEvent }
}

const asked = {
  submitted: 'submitted',
  ownerOnly: false,
  accounts: () => [],
  answered: responseEvent,
  unanswered: (row, status, now) => ({ closed: closedEvent(row, status, now) }),
} satisfies Partial<KindRules>

/** If a run waits for questions of several kinds, the first kind gives its status. */
export const kinds: Readonly<Record<QuestionKind, KindRules>> = {
  approval: { ...asked, runStatus: 'awaiting_approval', actions: answerActions.approval },
  input: { ...asked, runStatus: 'awaiting_input', actions: answerActions.input },
  connect: {
    runStatus: 'awaiting_auth',
    // An account is connected at its provider, not by a message of the client.
    actions: answerActions.connect,
    submitted: 'connected',
    ownerOnly: true,
    expiryCancelsRun: 'auth_expired',
    accounts: ({ request }) => (request.type === 'auth_needed' ? request.integrations : []),
    answered: (row, { action, at }) =>
      action === 'submit' ? authResultEvent(row, true, at) : authResultEvent(row, false, at, action),
    // A card shows the cause by this reason: "superseded" must not look like a task that was stopped.
    unanswered: (row, status, now, reason) => ({
      response: authResultEvent(row, false, now, status === 'superseded' ? status : (reason ?? status)),
    }),
  },
}
