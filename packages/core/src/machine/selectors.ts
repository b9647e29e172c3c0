import { isOpen } from './interaction.ts'
import type { Interaction, RunState, SessionState, ToolCallState } from './types.ts'

/**
 * Reading the state. Selectors that return an object return the very one that is in the state, so they can be compared
 * by identity; those that return a list make a new one each time.
 */
export const selectInteraction = (state: SessionState, interactionId: string): Interaction | undefined =>
  state.interactions.get(interactionId)

/** Open questions, oldest first. */
export const selectPending = (state: SessionState): readonly Interaction[] =>
  state.pendingIds.map((id) => state.interactions.get(id)!)

/** The oldest open question that waits for accounts to be connected. */
export function selectPendingAuth(state: SessionState): Interaction | undefined {
  for (const id of state.pendingIds) {
    const interaction = state.interactions.get(id)!
    if (interaction.kind === 'connect') return interaction
  }
  return undefined
}

export const selectRun = (state: SessionState, runId: string): RunState | undefined => state.runs.get(runId)

/** Where the call of an earlier run is kept, once a later run used its id again. */
export const callKey = (toolCallId: string, runId: string): string => `${toolCallId}\n${runId}`

/** A tool call; with `runId` that run's, where several runs used the same id. */
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

/** A question with the prompts before it on the same surface, oldest first; the last is the one given. */
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
