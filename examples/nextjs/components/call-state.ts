import type { Interaction, ToolCallState } from '@holdpoint/core'
import type { DynamicToolUIPart, ToolUIPart } from 'ai'

export type ToolPart = ToolUIPart | DynamicToolUIPart
export type CallState = 'running' | 'asking' | 'later' | 'done' | 'refused' | 'stopped' | 'failed'

export const words: Readonly<Record<CallState, string>> = {
  running: 'running',
  asking: 'waiting for you',
  later: 'you can still answer',
  done: 'done',
  refused: 'not done',
  stopped: 'stopped',
  failed: 'failed',
}

const ended: Readonly<Record<string, CallState>> = {
  completed: 'done',
  declined: 'refused',
  cancelled: 'stopped',
  error: 'failed',
}

/**
 * How far a call is. The session knows first: the stream of an earlier message stays open while a later one asks, and
 * its part is loaded again only afterwards.
 */
export function stateOf(
  part: ToolPart,
  call: Pick<ToolCallState, 'status'> | undefined,
  questions: readonly Pick<Interaction, 'status' | 'deferred' | 'replacedBy'>[],
): CallState {
  const last = questions.findLast(({ replacedBy }) => !replacedBy)
  if (last && isWaiting(last.status)) return last.deferred ? 'later' : 'asking'
  if (last?.status === 'superseded') return 'refused'
  if (last?.status === 'cancelled') return 'stopped'
  if (part.state === 'output-error') return 'failed'
  if (part.state === 'output-denied') return 'refused'
  if (part.state === 'output-available') return isToolNotRun(part.output) ? 'refused' : 'done'
  return ended[call?.status ?? ''] ?? 'running'
}

const isWaiting = (status: string) => status === 'pending' || status === 'submitting' || status === 'not_sent'

const isToolNotRun = (output: unknown) => typeof output === 'object' && output !== null && 'holdpoint' in output
