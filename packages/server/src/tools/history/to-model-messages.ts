import { maskCredentials } from './mask.ts'
import type { JsonValue, ModelMessage, TextPart, ToolCallPart, ToolOutput, ToolResultPart } from './model-message.ts'
import { type LogEvent, type LoggedCall, type LogItem, readLog } from './read-log.ts'

/** Options of `toModelMessages`. */
export interface ModelMessagesOptions {
  /** Texts that must not reach the model, such as opened secrets and tokens of this session. */
  secrets?: readonly string[]
}

/**
 * Converts a session's log to messages for a model. Every call has exactly one result, right after the message that
 * made it. Pending and running calls are omitted, declined calls are marked as declined, and credentials are masked.
 *
 * @example
 * const log = await readHistory(holdpoint, { sessionId: 'task-42', userId: 'ada' })
 * const result = streamText({ model, tools, messages: toModelMessages(log) })
 */
export function toModelMessages(
  events: Iterable<LogEvent>,
  { secrets = [] }: ModelMessagesOptions = {},
): ModelMessage[] {
  const masked = <T>(value: T) => maskCredentials(value, { secrets })
  const messages: ModelMessage[] = []
  const taken = new Set<string>()
  let step: { parts: (TextPart | ToolCallPart)[]; results: ToolResultPart[] } | undefined
  const close = () => {
    if (!step) return
    messages.push({ role: 'assistant', content: step.parts })
    if (step.results.length > 0) messages.push({ role: 'tool', content: step.results })
    step = undefined
  }

  for (const item of readLog(events).filter(isTold)) {
    if (item.type === 'call') {
      const { name: toolName } = item
      const toolCallId = unique(item.id, taken)
      step ??= { parts: [], results: [] }
      const input = masked(plain(item.input) ?? {})
      step.parts.push({ type: 'tool-call', toolCallId, toolName, input })
      step.results.push({ type: 'tool-result', toolCallId, toolName, output: masked(outputOf(item)) })
      continue
    }
    const text = masked(item.text)
    // Text after a call begins a new message, because the model wrote it with knowledge of the result.
    if (item.role !== 'assistant' || (step && step.results.length > 0)) close()
    if (item.role === 'assistant') {
      step ??= { parts: [], results: [] }
      step.parts.push({ type: 'text', text })
    } else addSaid(messages, item.role, text)
  }
  close()
  return messages
}

type Told = Exclude<LogItem, LoggedCall> | (LoggedCall & { end: NonNullable<LoggedCall['end']> })

const isTold = (item: LogItem): item is Told => item.type === 'said' || (item.end !== undefined && item.name !== '')

/** Providers require alternating roles, so consecutive actions and messages of a user become one message. */
function addSaid(messages: ModelMessage[], role: 'system' | 'user', text: string): void {
  const last = messages.at(-1)
  if (last?.role === 'user' && role === 'user') {
    messages[messages.length - 1] = { role, content: `${last.content}\n\n${text}` }
  } else messages.push({ role, content: text })
}

/** Returns a unique id, because two runs may have used the same id, and in one conversation each call needs its own. */
function unique(id: string, taken: Set<string>): string {
  let name = id
  for (let again = 2; taken.has(name); again++) name = `${id}-${again}`
  taken.add(name)
  return name
}

function outputOf({ end: { status, output, error }, reason }: Extract<Told, LoggedCall>): ToolOutput {
  switch (status) {
    case 'error':
      return { type: 'error-text', value: error ?? 'The tool failed.' }
    case 'declined':
      if (output !== undefined) {
        return {
          type: 'json',
          value: { declined: true, output: plain(output), ...(reason !== undefined && { reason }) },
        }
      }
      return { type: 'execution-denied', reason: reason ?? 'The person did not approve this. Nothing was done.' }
    case 'cancelled':
      return { type: 'execution-denied', reason: reason ?? 'This was cancelled before it was done.' }
    default:
      return typeof output === 'string'
        ? { type: 'text', value: output }
        : { type: 'json', value: plain(output) ?? null }
  }
}

/** Returns a value as JSON represents it. */
function plain(value: unknown): JsonValue | undefined {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue)
}
