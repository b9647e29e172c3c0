import type { DynamicToolUIPart, ToolUIPart } from 'ai'

export type ToolPart = ToolUIPart | DynamicToolUIPart
export type CallState = 'running' | 'asking' | 'done' | 'refused' | 'failed'

export const words: Readonly<Record<CallState, string>> = {
  running: 'running',
  asking: 'waiting for you',
  done: 'done',
  refused: 'not done',
  failed: 'failed',
}

/** How far a call is, from its part; whether it asks, only the session knows. */
export function stateOf(part: ToolPart, asks: boolean): CallState {
  if (part.state === 'output-error') return 'failed'
  if (part.state === 'output-denied') return 'refused'
  if (part.state === 'output-available') return isNotDone(part.output) ? 'refused' : 'done'
  return asks ? 'asking' : 'running'
}

const isNotDone = (output: unknown) => typeof output === 'object' && output !== null && 'holdpoint' in output
