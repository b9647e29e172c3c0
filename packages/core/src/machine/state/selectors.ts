import { isOpen } from './interaction.ts'
import type { Interaction, RunState, SessionState, ToolCallState } from './types.ts'

/**
 * Returns one question by its id, or undefined if the session does not have it. Selectors of one object return the
 * object of the state, which can be compared by identity; selectors of a list create a new list each time.
 *
 * @example
 * const question = selectInteraction(client.getSnapshot(), interactionId)
 * if (question?.status === 'expired') console.log('Too late.')
 */
export const selectInteraction = (state: SessionState, interactionId: string): Interaction | undefined =>
  state.interactions.get(interactionId)

/**
 * Returns the open questions, oldest first.
 *
 * @example console.log(`${selectPending(client.getSnapshot()).length} questions wait`)
 */
export const selectPending = (state: SessionState): readonly Interaction[] =>
  state.pendingIds.map((id) => state.interactions.get(id)!)

/**
 * Returns the oldest open question that waits for accounts.
 *
 * @example
 * const question = selectPendingAuth(client.getSnapshot())
 * if (question) console.log('Connect an account to continue:', question.toolName)
 */
export function selectPendingAuth(state: SessionState): Interaction | undefined {
  for (const id of state.pendingIds) {
    const interaction = state.interactions.get(id)!
    if (interaction.kind === 'connect') return interaction
  }
  return undefined
}

/**
 * Returns one run of an agent, or undefined if the session does not have it. Use it to show whether the run works,
 * waits or has ended.
 *
 * @example if (selectRun(client.getSnapshot(), runId)?.status === 'running') showStopButton()
 */
export const selectRun = (state: SessionState, runId: string): RunState | undefined => state.runs.get(runId)

/**
 * Returns the key in `state.toolCalls` of an earlier run's call, after a later run has used its id again.
 * `selectToolCall` uses it.
 *
 * @example const earlier = client.getSnapshot().toolCalls.get(callKey('call-1', 'run-1'))
 */
export const callKey = (toolCallId: string, runId: string): string => `${toolCallId}\n${runId}`

/**
 * Returns a tool call. If several runs used the same id, pass `runId`.
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
 * Returns the question of a tool call that is on screen: the oldest open one, otherwise the latest.
 *
 * @example const question = selectForToolCall(client.getSnapshot(), 'call-1')
 */
export function selectForToolCall(state: SessionState, toolCallId: string, runId?: string): Interaction | undefined {
  const ids = selectToolCall(state, toolCallId, runId)?.interactionIds ?? []
  const open = ids.find((id) => isOpen(state.interactions.get(id)!))
  return state.interactions.get(open ?? ids.at(-1) ?? '')
}

/**
 * Returns all prompts of a question that was asked again: the oldest first, the given one last.
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
