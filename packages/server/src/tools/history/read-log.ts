/** One tool call as the log describes it. */
export interface LoggedCall {
  type: 'call'
  id: string
  name: string
  input: unknown
  /** The reason that the person gave for the denial. */
  reason?: string
  /** The end of the call. Undefined if it is running, waiting, or was abandoned. */
  end?: { status: string; output?: unknown; error?: string }
}
export type LogItem = { type: 'said'; role: 'system' | 'user' | 'assistant'; text: string } | LoggedCall

/** An event of a log, of any version. */
export interface LogEvent {
  type: string
  [field: string]: unknown
}

/** Statuses of `tool_call_complete` that do not end the call. */
const WAITS: ReadonlySet<string> = new Set(['awaiting_confirmation', 'awaiting_approval', 'pending', 'running'])

/**
 * Returns messages and calls in order, with each call at the position where it began. Every call appears once, with the
 * last completion that the log has; updates after `tool_call_complete` change nothing.
 */
export function readLog(events: Iterable<LogEvent>): LogItem[] {
  const items: LogItem[] = []
  const calls = new Map<string, LoggedCall>()
  for (const event of events) {
    const said = saidBy(event)
    if (said) add(items, said)
    else if (event.type === 'interaction_response') readReason(calls, event)
    else if (callEvents.has(event.type)) readCall(items, calls, event)
  }
  return items
}

function saidBy({ type, text, message }: LogEvent): Extract<LogItem, { type: 'said' }> | null {
  const words = type === 'user_action' ? message : text
  const role = roles.get(type)
  return role && typeof words === 'string' && words !== '' ? { type: 'said', role, text: words } : null
}

const roles: ReadonlyMap<string, 'system' | 'user' | 'assistant'> = new Map([
  ['content', 'assistant'],
  ['user_message', 'user'],
  ['user_action', 'user'],
  ['system_message', 'system'],
])

/** Adds text to the list. Text of the assistant arrives in pieces, which are joined; other messages stay separate. */
function add(items: LogItem[], said: Extract<LogItem, { type: 'said' }>): void {
  const last = items.at(-1)
  if (last?.type === 'said' && last.role === 'assistant' && said.role === 'assistant') {
    items[items.length - 1] = { ...last, text: last.text + said.text }
  } else items.push(said)
}

const callEvents: ReadonlySet<string> = new Set(['tool_call_start', 'tool_call_update', 'tool_call_complete'])

/** Model providers reuse ids of tool calls, so they are only unique together with the run. */
const keyOf = ({ runId, toolCallId }: LogEvent) => JSON.stringify([typeof runId === 'string' ? runId : '', toolCallId])

/** Reads the reason of a denial, which is part of the answer. */
function readReason(calls: Map<string, LoggedCall>, event: LogEvent): void {
  const call = calls.get(keyOf(event))
  if (call && typeof event.reason === 'string' && event.action !== 'approve') call.reason = event.reason
}

function readCall(items: LogItem[], calls: Map<string, LoggedCall>, event: LogEvent): void {
  const { toolCallId, toolName, input } = event
  if (typeof toolCallId !== 'string' || toolCallId === '') return
  const key = keyOf(event)
  let call = calls.get(key)
  if (!call) {
    call = { type: 'call', id: toolCallId, name: '', input: undefined }
    calls.set(key, call)
    items.push(call)
  }
  if (typeof toolName === 'string' && toolName !== '') call.name ||= toolName
  if (!call.end && input !== undefined) call.input = input
  if (event.type === 'tool_call_complete') readEnd(call, event)
}

function readEnd(call: LoggedCall, { status, output, error }: LogEvent): void {
  if (typeof status !== 'string' || WAITS.has(status)) return
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined
  call.end = {
    status,
    ...(output !== undefined && { output }),
    ...(typeof message === 'string' && { error: message }),
  }
}
