import type { HoldpointEvent, KnownEvent } from '../protocol/index.ts'
import { append, change, type Edit, type OwnCall } from './edit.ts'
import { ask, replace, step } from './interaction.ts'
import { callKey } from './selectors.ts'
import type { Interaction, ToolCallState } from './types.ts'

/** One event of the log. Unknown types change nothing here: they are for `onEvent`. */
export function applyEvent(edit: Edit, anyEvent: HoldpointEvent): void {
  // The transport's guards have seen it, so a known type has its shape.
  const event = anyEvent as KnownEvent
  switch (event.type) {
    // First, because most of a log may be of it.
    case 'content':
      return
    case 'tool_call_update':
    case 'tool_call_start':
    case 'tool_call_complete': {
      const { status, toolName, input, output, logs, error } = event as Partial<ToolCallState>
      const call = callOf(edit, event)
      if (event.type === 'tool_call_start') call.status = 'running'
      else if (status !== undefined) call.status = status
      if (toolName !== undefined) call.toolName = toolName
      if (input !== undefined) call.input = input
      if (output !== undefined) call.output = output
      if (error !== undefined) call.error = error
      if (logs?.length) call.logs = append(edit, call.logs, logs)
      return
    }
    case 'run_status': {
      const { runs } = edit
      const { runId, status, reason } = event
      const known = runs.get(runId)
      if (known?.status !== status || known.reason !== reason) runs.changes.set(runId, { runId, status, reason })
      return
    }
    case 'interaction_request':
    case 'auth_needed':
      if (!edit.interactions.get(event.interactionId)) addInteraction(edit, ask(event))
      return
    case 'interaction_response':
    case 'interaction_updated':
    case 'interaction_closed':
    case 'auth_progress':
    case 'auth_result':
      change(edit, event.interactionId, (it) => step(it, event, edit.base.clientId))
  }
}

/** Puts a new question into the session: on its call, and in the place of the one that it asks again. */
export function addInteraction(edit: Edit, it: Interaction): void {
  const { interactionId, replaces, toolName } = it
  edit.interactions.changes.set(interactionId, it)
  if (replaces) change(edit, replaces, (before) => replace(before, interactionId))
  const call = callOf(edit, it)
  call.toolName = toolName
  call.interactionIds = append(edit, call.interactionIds, [interactionId])
}

type CallRef = { toolCallId: string; runId?: string | undefined }

/**
 * The call as this edit's own copy, to be written into until the edit is finished. Model providers reuse tool call
 * ids: a call of another run is another call, and must not inherit this one's yes.
 */
export function callOf(edit: Edit, { toolCallId, runId }: CallRef): OwnCall {
  const { call: last, toolCalls } = edit
  // Events of one call mostly follow each other.
  if (last?.toolCallId === toolCallId && last.runId === runId) return last
  const { changes } = toolCalls
  let key = toolCallId
  let known = toolCalls.get(key)
  if (runId && known?.runId && known.runId !== runId) {
    const newest = known
    const olderKey = callKey(toolCallId, runId)
    known = toolCalls.get(olderKey)
    if (known) key = olderKey
    else changes.set(callKey(toolCallId, newest.runId!), { ...newest })
  }
  let own: OwnCall | undefined = changes.get(key)
  if (!known || own !== known) {
    own = known
      ? { ...known }
      : {
          toolCallId,
          toolName: '',
          runId,
          status: 'unknown',
          input: undefined,
          output: undefined,
          error: undefined,
          logs: [],
          interactionIds: [],
        }
    changes.set(key, own)
  }
  own.runId ??= runId
  edit.call = own
  return own
}
