import type { HoldpointEvent, KnownEvent } from '../../protocol/events.ts'

import { ask, isOpen, step } from '../state/interaction.ts'
import { callKey } from '../state/selectors.ts'
import type { Interaction, ToolCallState } from '../state/types.ts'
import { change, type Edit, type OwnCall, question } from './batch.ts'

/** Applies one event of the log. Unknown types do not change the state; `onEvent` receives them. */
export function applyEvent(edit: Edit, anyEvent: HoldpointEvent): void {
  // The transport's guards have validated it, so a known type has its shape.
  const event = anyEvent as KnownEvent
  switch (event.type) {
    // First, because most events of a log can have this type.
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
      if (logs?.length) call.logs = append(call.logs, edit.was?.logs, logs)
      return
    }
    case 'run_status': {
      const { runs, base } = edit
      const { runId, status, reason } = event
      const known = runs.get(runId) ?? base.runs.get(runId)
      if (known?.status !== status || known.reason !== reason) runs.set(runId, { runId, status, reason })
      return
    }
    case 'interaction_request':
    case 'auth_needed': {
      const { interactionId, toolName } = event
      if (question(edit, interactionId)) return
      const it = ask(event)
      edit.interactions.set(interactionId, it)
      replace(edit, it)
      const call = callOf(edit, event)
      call.toolName = toolName
      call.interactionIds = append(call.interactionIds, edit.was?.interactionIds, [interactionId])
      return
    }
    default:
      change(edit, (event as { interactionId?: string }).interactionId!, (it) => step(it, event, edit.base.clientId))
  }
}

/** Marks a question as replaced by a newer prompt. Its open parts can no longer be answered. */
export function replace(
  edit: Edit,
  { replaces, interactionId }: Pick<Interaction, 'replaces' | 'interactionId'>,
): void {
  change(
    edit,
    replaces!,
    (it) => !it.replacedBy && { replacedBy: interactionId, status: isOpen(it) ? 'superseded' : it.status },
  )
}

type CallRef = { toolCallId: string; runId?: string | undefined }

/**
 * Returns the call as this edit's own copy, which may be changed until the edit is finished. Model providers reuse tool
 * call ids: a call of another run is a different call and must not inherit an approval of this one.
 */
export function callOf(edit: Edit, { toolCallId, runId }: CallRef): OwnCall {
  const { call: last, toolCalls, base } = edit
  // Consecutive events often belong to one call.
  if (last?.toolCallId === toolCallId && last.runId === runId) return last
  let key = toolCallId
  let own: OwnCall | undefined = toolCalls.get(key)
  let was = base.toolCalls.get(key)
  const newest = own ?? was
  if (runId && newest?.runId && newest.runId !== runId) {
    key = callKey(toolCallId, runId)
    own = toolCalls.get(key)
    was = base.toolCalls.get(key)
    if (!own && !was) {
      // The earlier call keeps its lists, and changes from now on belong to the new call.
      const { logs, interactionIds } = newest
      toolCalls.set(callKey(toolCallId, newest.runId), {
        ...newest,
        logs: [...logs],
        interactionIds: [...interactionIds],
      })
      key = toolCallId
    }
  }
  if (!own) {
    own = was
      ? { ...was }
      : {
          toolCallId,
          toolName: '',
          runId,
          status: 'unknown',
          logs: [],
          interactionIds: [],
        }
    toolCalls.set(key, own)
  }
  own.runId ??= runId
  edit.call = own
  edit.was = was
  return own
}

/** Appends in place if the list is this edit's own copy. `was` is the list that other states hold. */
function append<T>(list: readonly T[], was: readonly T[] | undefined, items: readonly T[]): readonly T[] {
  const own = list === was ? [...list] : (list as T[])
  for (const item of items) own.push(item)
  return own
}
