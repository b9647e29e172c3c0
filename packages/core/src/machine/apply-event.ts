import type { HoldpointEvent, KnownEvent } from '../protocol/index.ts'
import type { Edit } from './edit.ts'
import { ask, replace, step } from './interaction.ts'
import { callKey } from './selectors.ts'
import type { Interaction, ToolCallState } from './types.ts'

/** One event of the log. Unknown types change nothing here: they are for `onEvent`. */
export function applyEvent(edit: Edit, anyEvent: HoldpointEvent): void {
  // The transport's guards have seen it, so a known type has its shape.
  const event = anyEvent as KnownEvent
  switch (event.type) {
    case 'interaction_request':
    case 'auth_needed':
      if (!edit.interaction(event.interactionId)) addInteraction(edit, ask(event))
      break
    case 'run_status': {
      const { runId, status, reason } = event
      const known = edit.runs.get(runId) ?? edit.base.runs.get(runId)
      if (known?.status !== status || known.reason !== reason) edit.runs.set(runId, { runId, status, reason })
      break
    }
    case 'tool_call_start':
    case 'tool_call_update':
    case 'tool_call_complete': {
      const { status, toolName, input, output, logs, error } = event as Partial<ToolCallState>
      const call = callOf(edit, event)
      if (event.type === 'tool_call_start') call.status = 'running'
      else if (status !== undefined) call.status = status
      if (toolName !== undefined) call.toolName = toolName
      if (input !== undefined) call.input = input
      if (output !== undefined) call.output = output
      if (error !== undefined) call.error = error
      if (logs?.length) call.logs = edit.append(call.logs, logs)
      break
    }
    case 'interaction_response':
    case 'interaction_updated':
    case 'interaction_closed':
    case 'auth_progress':
    case 'auth_result':
      edit.change(event.interactionId, (it) => step(it, event, edit.base.clientId))
  }
}

/** Puts a new question into the session: on its call, and in the place of the one that it asks again. */
export function addInteraction(edit: Edit, interaction: Interaction): void {
  const { interactionId, replaces, toolName } = interaction
  edit.interactions.set(interactionId, interaction)
  if (replaces) edit.change(replaces, (before) => replace(before, interactionId))
  const call = callOf(edit, interaction)
  call.toolName = toolName
  call.interactionIds = edit.append(call.interactionIds, [interactionId])
}

type CallRef = { toolCallId: string; runId?: string | undefined }
type OwnCall = { -readonly [K in keyof ToolCallState]: ToolCallState[K] }

/**
 * The call as this edit's own copy, to be written into until the edit is finished. Model providers reuse tool call
 * ids: a call of another run is another call, and must not inherit this one's yes.
 */
export function callOf(edit: Edit, { toolCallId, runId }: CallRef): OwnCall {
  let key = toolCallId
  let call = edit.call(key)
  if (call && runId && call.runId && call.runId !== runId) {
    const newest = call
    const olderKey = callKey(toolCallId, runId)
    call = edit.call(olderKey)
    if (call) key = olderKey
    else edit.calls.set(callKey(toolCallId, newest.runId!), newest)
  }
  if (!call || call !== edit.calls.get(key)) {
    call = call ? { ...call } : { toolCallId, toolName: '', runId, status: 'unknown', logs: [], interactionIds: [] }
    edit.calls.set(key, call)
  }
  const own: OwnCall = call
  own.runId ??= runId
  return own
}
