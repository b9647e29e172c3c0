import type { InteractionRequestEvent } from '../../protocol/events.ts'
import { isOpen } from './interaction.ts'
import { mayAnswer } from './permissions.ts'
import { selectToolCall } from './selectors.ts'
import type { Interaction, SessionState } from './types.ts'

/** The state of a question's card for this person. It is in exactly one of these states at any time. */
export type ViewState =
  | 'loading'
  | 'pending'
  | 'submitting'
  | 'not-sent'
  | 'answered-here'
  | 'approved-still-running'
  | 'answered-elsewhere'
  | 'expired'
  | 'cancelled'
  | 'superseded'
  | 'failed'
  | 'reprompted'
  | 'read-only'
  | 'may-not-answer'
  | 'unknown-kind'
  | 'disconnected'
  /** The server no longer accepts this user's credentials. */
  | 'signed-out'

/** The values that a card shows for one question, from `cardViewOf`, so that all user interfaces decide alike. */
export interface CardView {
  readonly state: ViewState
  /** Controls may be offered: the question is open, and this person may answer it on this client. */
  readonly canAnswer: boolean
  /** The call continues after the answer. */
  readonly stillRunning: boolean
  /**
   * This client's answer was accepted, and its tool may still ask again: a form, or an approval with changed arguments.
   * Show the question as being sent for up to 400 ms, so that a card that is asked again keeps its focus.
   */
  readonly settling: boolean
  /** The connection has been lost for a noticeable time. The shown state may be stale. */
  readonly disconnected: boolean
  /** The tool stopped waiting; an answer still counts and starts a new turn. */
  readonly deferred: boolean
  /** Milliseconds until the deadline; null if it does not matter (settled, deferred, no deadline). */
  readonly remainingMs: number | null
  /** The deadline has passed, and the server has not sent the outcome yet. */
  readonly overdue: boolean
  readonly canExtend: boolean
}

/**
 * Returns what to show of a question. It considers the question, its call, the right to answer, the mode and the
 * connection. The result is a new object each time; compare `state`.
 *
 * @example const { state, canAnswer } = cardViewOf(selectInteraction(snapshot, id), snapshot, Date.now())
 */
export function cardViewOf(interaction: Interaction | undefined, session: SessionState, now: number): CardView {
  const disconnected = isDisconnected(session)
  if (!interaction) return { ...nothing, disconnected }
  const open = isOpen(interaction)
  const stillRunning = interaction.status === 'answered' && runs(interaction, session)
  const timed = open && !interaction.deferred && Number.isFinite(interaction.expiresAt)
  const remainingMs = timed ? Math.max(0, interaction.expiresAt - (now + session.clockOffset)) : null
  const allowed =
    open && session.interactiveMode && session.connection.status !== 'closed' && mayAnswer(session, interaction)
  const request = interaction.request as InteractionRequestEvent
  return {
    state: open ? openState(interaction, session, disconnected) : settledState(interaction, stillRunning),
    canAnswer: allowed && interaction.status !== 'submitting' && interaction.kind !== 'unknown',
    stillRunning,
    settling: interaction.status === 'answered' && interaction.answeredHere && mayAskAgain(interaction, session),
    disconnected,
    deferred: interaction.deferred,
    remainingMs,
    overdue: remainingMs === 0,
    canExtend: allowed && timed && request.extendable === true && (session.you?.can.includes('extend') ?? true),
  }
}

const nothing: CardView = {
  state: 'loading',
  canAnswer: false,
  stillRunning: false,
  settling: false,
  disconnected: false,
  deferred: false,
  remainingMs: null,
  overdue: false,
  canExtend: false,
}

function openState(interaction: Interaction, session: SessionState, disconnected: boolean): ViewState {
  const request = interaction.request as InteractionRequestEvent
  if (interaction.status === 'submitting') return 'submitting'
  if (interaction.kind === 'unknown') return 'unknown-kind'
  if (!session.interactiveMode || interaction.problem?.code === 'not_interactive') return 'read-only'
  if (!mayAnswer(session, interaction)) return 'may-not-answer'
  if (isSignedOut(interaction, session)) return 'signed-out'
  if (interaction.status === 'not_sent') return 'not-sent'
  if (disconnected) return 'disconnected'
  return interaction.replaces || request.error || request.attempt > 1 ? 'reprompted' : 'pending'
}

function settledState(interaction: Interaction, stillRunning: boolean): ViewState {
  if (interaction.status !== 'answered') return interaction.status as ViewState
  if (!interaction.answeredHere) return 'answered-elsewhere'
  return stillRunning && interaction.kind === 'approval' ? 'approved-still-running' : 'answered-here'
}

/** True after an approval, until the call or its run has ended. Without events of the call the result is false. */
function runs({ toolCallId, runId, response, draft, replacedBy }: Interaction, session: SessionState): boolean {
  const action = response?.action ?? draft?.answer.action
  if (replacedBy || (action !== 'approve' && action !== 'submit')) return false
  return !runEnded(runId, session) && selectToolCall(session, toolCallId, runId)?.status === 'running'
}

/** Only typed input can be rejected: a form, or changed arguments. */
function mayAskAgain({ toolCallId, runId, response, draft, replacedBy }: Interaction, session: SessionState): boolean {
  const { action, args } = response ?? draft?.answer ?? {}
  if (replacedBy || (action !== 'submit' && args === undefined)) return false
  const call = selectToolCall(session, toolCallId, runId)?.status ?? 'unknown'
  return !runEnded(runId, session) && (call === 'running' || call === 'unknown')
}

function runEnded(runId: string | undefined, session: SessionState): boolean {
  const run = runId ? session.runs.get(runId)?.status : undefined
  return run === 'completed' || run === 'cancelled' || run === 'error'
}

/** Known from the connection, or from an answer that was rejected while an older connection is still open. */
const isSignedOut = ({ problem }: Interaction, { connection }: SessionState) =>
  connection.status === 'unauthorized' || problem?.code === 'unauthorized'

/** One failed attempt is not shown, because a proxy that recycles connections would make every card flicker. */
function isDisconnected({ connection: { status, attempt } }: SessionState): boolean {
  return (
    status === 'offline' ||
    status === 'unauthorized' ||
    status === 'closed' ||
    (status === 'reconnecting' && attempt > 1)
  )
}
