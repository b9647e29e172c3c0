import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import type { Environment } from '../../base/environment.ts'
import type { Store } from '../../store/port.ts'
import { refuse } from '../shared/respond.ts'
import { agentTimes, type RemoteMessage, record, type ToolUse } from './records.ts'

const base = { sessionId: z.string(), timestamp: z.number().optional(), runId: schemas.id.optional() }
const call = { toolCallId: schemas.id, toolName: z.string().min(1).max(256) }
const known = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), ...base, id: z.string().max(256), text: z.string() }),
  z.looseObject({ type: z.literal('tool-call'), ...base, ...call, input: z.unknown() }),
  z.looseObject({ type: z.literal('tool-result'), ...base, ...call, output: z.unknown() }),
])
const anyMessage = z.looseObject({ type: z.string().min(1).max(256), sessionId: z.string() })
const types: ReadonlySet<string> = new Set(known.options.map(({ shape }) => shape.type.value))

export interface Place {
  store: Store
  environment: Environment
  partition: string
  sessionId: string
}

/** A stored message whose type this version does not know. */
export interface UnknownMessage {
  id: string
  type: string
  payload: unknown
  at: number
}

/**
 * Stores one message of the remote agent: text as a message, calls and results as tool-use artifacts, both also in the
 * session's log. Results may arrive before their calls. A message of an unknown type is stored and answered with 200,
 * so that a newer agent does not fill its dead-letter list because of an older back end.
 */
export async function takeMessage(place: Place, messageId: string, payload: unknown, remoteId: string) {
  const said = anyMessage.safeParse(payload)
  if (!said.success) refuse(400, 'invalid_message', 'The webhook has no type or no sessionId.')
  if (said.data.sessionId !== remoteId) {
    refuse(400, 'webhook_wrong_session', 'The webhook is about another session than its token.')
  }
  if (!types.has(said.data.type)) {
    await record<UnknownMessage>(place, of(place, 'remote_unknown', messageId), (before, at) =>
      before ? null : { row: { id: messageId, type: said.data.type, payload, at }, events: [] },
    )
    return said.data.type
  }
  const parsed = known.safeParse(payload)
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') ?? ''
    refuse(400, 'invalid_message', `The webhook is malformed at ${path || 'its root'}.`, { path })
  }
  const message = parsed.data
  if (message.type === 'text') await takeText(place, messageId, message)
  else await takeToolUse(place, message)
  return null
}

const of = ({ partition }: Place, kind: string, id: string) => ({ partition, kind, id })

type Known = z.infer<typeof known>

function takeText(place: Place, messageId: string, { text, runId, timestamp }: Extract<Known, { type: 'text' }>) {
  return record<RemoteMessage>(place, of(place, 'remote_message', messageId), (before, now) => {
    if (before) return null
    const event = { type: 'content', ...envelope(place, now, runId), responseId: messageId, text }
    return { row: { id: messageId, role: 'assistant', text, ...agentTimes(timestamp, now) }, events: [event] }
  })
}

function takeToolUse(place: Place, message: Exclude<Known, { type: 'text' }>) {
  const { toolCallId, toolName, runId, timestamp } = message
  // Model providers reuse ids of tool calls, so they are only unique together with the run.
  const id = JSON.stringify([runId ?? '', toolCallId])
  return record<ToolUse>(place, of(place, 'remote_tool_use', id), (before, now) => {
    const named = { toolCallId, toolName }
    const base = envelope(place, now, runId)
    const row: ToolUse = before ?? {
      type: 'TOOL_USE',
      ...named,
      ...(runId !== undefined && { runId }),
      ...agentTimes(timestamp, now),
    }
    if (message.type === 'tool-call') {
      if (before?.input !== undefined) return null
      const type = before?.output === undefined ? 'tool_call_start' : 'tool_call_update'
      return {
        row: { ...row, input: message.input ?? null },
        events: [{ type, ...base, ...named, input: message.input }],
      }
    }
    if (before?.output !== undefined) return null
    const output = message.output ?? null
    const event = { type: 'tool_call_complete', ...base, ...named, status: 'completed', output }
    return { row: { ...row, output }, events: [event] }
  })
}

function envelope({ sessionId }: Place, now: number, runId: string | undefined) {
  return { timestamp: new Date(now).toISOString(), sessionId, ...(runId !== undefined && { runId }) }
}
