import { cardViewOf, type Interaction, type SessionState, selectToolCall } from '@holdpoint/core'
import type { ConnectionStatus, Permission, Topic } from '@holdpoint/core/internal'
import { initialState } from '@holdpoint/core/machine'

import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import { useSettings } from '../../settings/context.ts'
import type { CardState } from '../../wording/outcome-text.ts'

/**
 * The facts that the state of a card depends on, besides its question. They come from the client unless they are given.
 */
export interface CardSurroundings {
  /** Whether this client answers questions. */
  interactive?: boolean | undefined
  /** Whether this person is among those who may answer. */
  mayAnswer?: boolean | undefined
  connection?: ConnectionStatus | undefined
  /** Of the tool call: `running` keeps an approved card alive. */
  callStatus?: string | undefined
}

export interface CardView {
  readonly state: CardState
  /** The controls work. */
  readonly canAnswer: boolean
  readonly canExtend: boolean
  /** The answer was accepted, and its tool may still refuse it. */
  readonly settling: boolean
  /** The connection has been lost for a noticeable time, in whatever state the card is. */
  readonly disconnected: boolean
  /** An approval with a wider scope than once counts for that scope; otherwise the server counts it once. */
  readonly canRemember: boolean
  /** Server clock minus this one's, milliseconds. */
  readonly clockOffset: number
  readonly canCancelRun: boolean
  /** The user who views the card. */
  readonly userId: string | undefined
  /** Status of the tool call that asked. */
  readonly callStatus: string | undefined
}

const OPEN: ReadonlySet<CardState> = new Set([
  'loading',
  'pending',
  'submitting',
  'not-sent',
  'reprompted',
  'read-only',
  'may-not-answer',
  'unknown-kind',
  'disconnected',
  'signed-out',
])

/** Returns true if the question accepts no answer: the card is one line. */
export const isOver = (state: CardState) => !OPEN.has(state)

const UNANSWERED: ReadonlySet<CardState> = new Set(['expired', 'cancelled', 'superseded'])

/** Returns true if the question ended without an answer, so that typed input was not sent. */
export const endedUnanswered = (state: CardState) => UNANSWERED.has(state)

const EVERYTHING: readonly Permission[] = ['respond', 'remember', 'extend', 'cancel', 'connect']

const nothing = () => {}
const emptyState = () => initialState({ sessionId: '', clientId: '' })

/** Re-renders only when what is shown changes, whatever else happens in the session. */
export function useView(interaction: Interaction | undefined, around: CardSurroundings): CardView {
  const { client } = useSettings()
  const [alone] = useState(emptyState)
  const { interactive, mayAnswer, connection = client ? undefined : 'open', callStatus } = around
  const read = useMemo(
    () =>
      stable((session: SessionState) =>
        viewAround(interaction, { interactive, mayAnswer, connection, callStatus }, session),
      ),
    [interaction, interactive, mayAnswer, connection, callStatus],
  )
  const { toolCallId, runId } = interaction ?? {}
  const subscribe = useCallback(
    (listener: () => void) => {
      if (!client) return nothing
      const topics: Topic[] = ['mode', 'connection']
      if (toolCallId !== undefined) topics.push(`call:${toolCallId}`)
      if (runId !== undefined) topics.push(`run:${runId}`)
      return client.subscribe(listener, topics)
    },
    [client, toolCallId, runId],
  )
  return useSyncExternalStore(
    subscribe,
    () => read(client ? client.getSnapshot() : alone),
    () => read(client ? client.getServerSnapshot() : alone),
  )
}

function viewAround(interaction: Interaction | undefined, around: CardSurroundings, from: SessionState): CardView {
  const session = surround(interaction, around, from)
  const { state, canAnswer, canExtend, settling, disconnected } = cardViewOf(interaction, session, 0)
  const you = session.you
  return {
    state,
    canAnswer,
    canExtend,
    settling,
    disconnected,
    canRemember: !you || you.can.includes('remember'),
    clockOffset: session.clockOffset,
    canCancelRun: interaction?.runId !== undefined && (!you || you.can.includes('cancel')),
    userId: you?.userId,
    callStatus: interaction && selectToolCall(session, interaction.toolCallId, interaction.runId)?.status,
  }
}

/** Returns the session's facts, overridden by props. */
function surround(interaction: Interaction | undefined, around: CardSurroundings, session: SessionState): SessionState {
  const { interactive, mayAnswer, connection, callStatus } = around
  const changed: { -readonly [K in keyof SessionState]?: SessionState[K] } = {}
  if (interactive !== undefined) changed.interactiveMode = interactive
  // Two failed attempts: a single short interruption is not shown.
  if (connection) changed.connection = { status: connection, attempt: 2 }
  if (mayAnswer !== undefined) changed.you = { userId: session.you?.userId ?? '', can: mayAnswer ? EVERYTHING : [] }
  if (callStatus && interaction) {
    const { toolCallId, toolName } = interaction
    changed.toolCalls = new Map([
      [toolCallId, { toolCallId, toolName, status: callStatus, logs: [], interactionIds: [] }],
    ])
  }
  return { ...session, ...changed }
}

/** The same object as long as nothing in it changed. */
function stable(select: (session: SessionState) => CardView): (session: SessionState) => CardView {
  let last: CardView | undefined
  let of: SessionState | undefined
  return (session) => {
    if (last && of === session) return last
    const next = select(session)
    const keys = Object.keys(next) as (keyof CardView)[]
    if (!last || keys.some((key) => next[key] !== last?.[key])) last = next
    of = session
    return last
  }
}
