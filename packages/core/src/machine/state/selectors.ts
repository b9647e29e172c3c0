import { isOpen } from './interaction.ts'
import type { Interaction, RunState, SessionState, ToolCallState } from './types.ts'

/**
 * One question by its id; undefined when the session does not know it. Selectors that give one object give the very one
 * that is in the state, so that it can be compared by identity; those that give a list make a new one each time.
 *
 * @example
 * const question = selectInteraction(client.getSnapshot(), interactionId)
 * if (question?.status === 'expired') console.log('Too late.')
 */
export const selectInteraction = (state: SessionState, interactionId: string): Interaction | undefined =>
  state.interactions.get(interactionId)

/**
 * Open questions, oldest first.
 *
 * @example
 * console.log(`${selectPending(client.getSnapshot()).length} questions wait`)
 */
export const selectPending = (state: SessionState): readonly Interaction[] =>
  state.pendingIds.map((id) => state.interactions.get(id)!)

/**
 * The oldest open question that waits for accounts to be connected.
 *
 * @example
 * const question = selectPendingAuth(client.getSnapshot())
 * if (question) console.log('Connect an account to go on:', question.toolName)
 */
export function selectPendingAuth(state: SessionState): Interaction | undefined {
  for (const id of state.pendingIds) {
    const interaction = state.interactions.get(id)!
    if (interaction.kind === 'connect') return interaction
  }
  return undefined
}

/**
 * One run of an agent, to show whether it works, waits or is over; undefined when the session does not know it.
 *
 * @example
 * if (selectRun(client.getSnapshot(), runId)?.status === 'running') showStopButton()
 */
export const selectRun = (state: SessionState, runId: string): RunState | undefined => state.runs.get(runId)

/**
 * The key in `state.toolCalls` of an earlier run's call, once a later run has used its id again. `selectToolCall` does
 * this for you.
 *
 * @example
 * const earlier = client.getSnapshot().toolCalls.get(callKey('call-1', 'run-1'))
 */
export const callKey = (toolCallId: string, runId: string): string => `${toolCallId}\n${runId}`

/**
 * A tool call; with `runId` that run's, where several runs used the same id.
 *
 * @example
 * const call = selectToolCall(client.getSnapshot(), 'call-1')
 * if (call) console.log(call.status, call.logs)
 */
export function selectToolCall(state: SessionState, toolCallId: string, runId?: string): ToolCallState | undefined {
  const newest = state.toolCalls.get(toolCallId)
  if (!runId || !newest?.runId || newest.runId === runId) return newest
  return state.toolCalls.get(callKey(toolCallId, runId))
}

/**
 * The question of a tool call that is on screen: the oldest that still waits for an answer, else the latest.
 *
 * @example
 * const question = selectForToolCall(client.getSnapshot(), 'call-1')
 */
export function selectForToolCall(state: SessionState, toolCallId: string, runId?: string): Interaction | undefined {
  const ids = selectToolCall(state, toolCallId, runId)?.interactionIds ?? []
  const open = ids.find((id) => isOpen(state.interactions.get(id)!))
  return state.interactions.get(open ?? ids.at(-1) ?? '')
}

/**
 * A question that was asked again, with the earlier prompts in whose place it stands: oldest first, the given one last.
 *
 * @example
 * const attempts = selectChain(client.getSnapshot(), interactionId)
 * console.log(`Asked ${attempts.length} times`)
 */
export function selectChain(state: SessionState, interactionId: string): readonly Interaction[] {
  const chain: Interaction[] = []
  const seen = new Set<string>()
  for (let id: string | undefined = interactionId; id && !seen.has(id); ) {
    seen.add(id)
    const interaction: Interaction | undefined = state.interactions.get(id)
    if (interaction) chain.push(interaction)
    id = interaction?.replaces
  }
  return chain.reverse()
}
