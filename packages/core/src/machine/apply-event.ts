import type { HoldpointEvent, KnownEvent } from '../protocol/index.ts'
import { change, type Edit, type OwnCall, own } from './edit.ts'
import { ask, isOpen, step } from './interaction.ts'
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
      if (logs?.length) {
        const list = own(edit, call.logs) as string[]
        for (const line of logs) list.push(line)
        call.logs = list
      }
      return
    }
    case 'run_status': {
      const { runs } = edit
      const { runId, status, reason } = event
      const known = runs.get(runId)
      if (known?.status !== status || known.reason !== reason) runs.top.set(runId, { runId, status, reason })
      return
    }
    case 'interaction_request':
    case 'auth_needed': {
      const { interactionId, toolName } = event
      if (edit.interactions.get(interactionId)) return
      const it = ask(event)
      edit.interactions.top.set(interactionId, it)
      replace(edit, it)
      const call = callOf(edit, event)
      call.toolName = toolName
      const ids = own(edit, call.interactionIds) as string[]
      ids.push(interactionId)
      call.interactionIds = ids
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
  const { call: last, toolCalls } = edit
  // Events of one call mostly follow each other.
  if (last?.toolCallId === toolCallId && last.runId === runId) return last
  let key = toolCallId
  let known = toolCalls.get(key)
  if (runId && known?.runId && known.runId !== runId) {
    const older = callKey(toolCallId, runId)
    const newest = known
    known = toolCalls.get(older)
    if (known) key = older
    else toolCalls.top.set(callKey(toolCallId, newest.runId!), newest)
  }
  const call: OwnCall = own(edit, known ?? { ...unseen, toolCallId, runId })
  call.runId ??= runId
  toolCalls.top.set(key, call)
  edit.call = call
  return call
}

const unseen = {
  toolCallId: '',
  toolName: '',
  runId: undefined,
  status: 'unknown',
  input: undefined,
  output: undefined,
  error: undefined,
  logs: [],
  interactionIds: [],
}
