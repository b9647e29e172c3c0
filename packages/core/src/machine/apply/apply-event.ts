import type { HoldpointEvent } from '../../protocol/events.ts'
import type { KnownEvent } from '../../protocol/index.ts'
import { ask, isOpen, step } from '../state/interaction.ts'
import { callKey } from '../state/selectors.ts'
import type { Interaction, ToolCallState } from '../state/types.ts'
import { change, type Edit, type OwnCall, question } from './batch.ts'

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

/** Asked again on the same surface. What was open by then will not be answered any more. */
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
 * The call as this edit's own copy, to be written into until the edit is finished. Model providers reuse tool call
 * ids: a call of another run is another call, and must not inherit this one's yes.
 */
export function callOf(edit: Edit, { toolCallId, runId }: CallRef): OwnCall {
  const { call: last, toolCalls, base } = edit
  // Events of one call mostly follow each other.
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
      // Its lists go along, and what is written into them from now on is another call's.
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

/** Into the list itself, if it is this edit's own: `was` is the one that others hold. */
function append<T>(list: readonly T[], was: readonly T[] | undefined, items: readonly T[]): readonly T[] {
  const own = list === was ? [...list] : (list as T[])
  for (const item of items) own.push(item)
  return own
}
