import type { UIMessage } from 'ai'
import { isToolPart, isWaiting, type ToolPart } from './questions-of-parts.ts'

/** The tool calls that a chat stopped at: those of the last step of its last message. */
export interface LastStep {
  message: UIMessage
  /** The id of the user message that the step responds to. It is the turn, unless the server named another one. */
  turn: string | undefined
  parts: readonly ToolPart[]
}

export function lastStepOf(messages: readonly UIMessage[]): LastStep | undefined {
  const message = messages.at(-1)
  if (message?.role !== 'assistant') return undefined
  const start = message.parts.findLastIndex(({ type }) => type === 'step-start')
  const turn = messages.findLast(({ role }) => role === 'user')?.id
  return { message, turn, parts: message.parts.slice(start + 1).filter(isToolPart) }
}

/** Returns the answers with which a step continues; undefined while the step waits, or if it has no answers. */
export function readyToResume({ message, parts }: LastStep): string | undefined {
  const answered = parts.filter(({ state }) => state === 'approval-responded')
  const open = parts.some((part) => isWaiting(part) || part.state === 'input-streaming' || runsHere(part))
  if (answered.length === 0 || open) return undefined
  return JSON.stringify([message.id, ...answered.map((part) => part.approval?.id)])
}

/** Returns true for a tool of the browser whose result has not arrived yet. */
const runsHere = (part: ToolPart) =>
  (part.state === 'input-available' && !part.providerExecuted) ||
  (part.state === 'output-available' && part.preliminary)
