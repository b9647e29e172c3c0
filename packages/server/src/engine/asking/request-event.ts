import { HoldpointError, type HoldpointErrorCode } from '@holdpoint/core'
import type { AuthNeededEvent, InteractionRequestEvent, Limits } from '@holdpoint/core/internal'
import { checkFields } from '@holdpoint/core/internal/forms'

import { schemas } from '@holdpoint/core/protocol'
import { digestOf, recordable } from '../../base/canonical-json.ts'
import { byteLength } from '../../base/environment.ts'
import type { ApprovalQuestion, InputQuestion, Reprompt } from '../api/questions.ts'
import { iso } from '../state/question-events.ts'

/** The request of a question, without what the engine adds when it asks. */
export type WireRequest = Pick<
  InteractionRequestEvent,
  | 'interactionType'
  | 'timeoutMs'
  | 'prompt'
  | 'requester'
  | 'approvalScopes'
  | 'approvalCovers'
  | 'approvalLabel'
  | 'audience'
  | 'extendable'
  | 'answerableLater'
  | 'labels'
  | 'args'
  | 'draftArgs'
  | 'editable'
  | 'argsSchema'
  | 'diff'
  | 'risk'
  | 'facts'
  | 'lang'
  | 'inputSchema'
  | 'initialValues'
  | 'error'
  | 'fieldErrors'
  | 'presentation'
  | 'completedView'
>

export const DEFAULT_TIMEOUT_MS = 5 * 60_000

/** Converts a tool's question to the fields of the protocol. */
export function wireRequest(question: ApprovalQuestion | InputQuestion): WireRequest {
  const { key: _key, type, whenUnavailable: _when, requester, timeoutMs = DEFAULT_TIMEOUT_MS, ...rest } = question
  const fields: Record<string, unknown> = { extendable: true, ...pick(rest), timeoutMs, interactionType: type }
  if (type === 'approval') fields.approvalScopes ??= ['once', 'session']
  if (requester) {
    const { remote: _remote, ...shown } = requester
    fields.requester = shown
  }
  return recordable('A question', fields) as WireRequest
}

/**
 * The next prompt: everything of the last one that the tool did not change. The arguments cannot be changed: a yes
 * approves what the tool asked for, so a prompt that shows other arguments would be approved for these.
 */
export function reworded(last: InteractionRequestEvent, change: Reprompt, kept?: Record<string, unknown>): WireRequest {
  const { error: _error, fieldErrors: _fieldErrors, initialValues: _values, draftArgs: _draft, ...rest } = last
  const { requester, type, timeoutMs, whenUnavailable: _when, ...changed } = change
  if ('args' in changed) throw argsChanged()
  const next = {
    ...wireOnly(rest),
    ...(kept && { initialValues: kept }),
    ...pick(changed),
    ...(type && { interactionType: type }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(requester && { requester }),
  }
  return recordable('A reprompt', next) as WireRequest
}

/** Handlers and options of the host never leave the process, whatever a caller spreads into a question. */
function pick(question: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(question)) {
    if (!WIRE_FIELDS.has(name) || value === undefined) continue
    if (name !== 'inputSchema') fields[name] = value
    else if (value) fields[name] = Array.isArray(value) ? { type: 'form', fields: value } : value
  }
  return fields
}

const WIRE_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'prompt',
    'extendable',
    'answerableLater',
    'audience',
    'labels',
    'presentation',
    'completedView',
    'error',
    'fieldErrors',
  ],
  ...['initialValues', 'approvalScopes', 'approvalCovers', 'approvalLabel', 'args', 'draftArgs', 'editable'],
  ...['argsSchema', 'diff', 'risk', 'facts', 'lang', 'inputSchema'],
])

function argsChanged(): HoldpointError {
  return new HoldpointError(
    'invalid_request',
    'A reprompt cannot change "args": an approval counts for the arguments that were asked for. Pass "draftArgs" to open the editor with a proposal, or complete and ask a new question.',
    { details: { path: 'args' } },
  )
}

function wireOnly(event: Partial<InteractionRequestEvent>): Record<string, unknown> {
  const { requester, interactionType, timeoutMs } = event
  return { ...pick(event), interactionType, timeoutMs, ...(requester && { requester }) }
}

/**
 * The identity of a question: two questions are the same if their digests are equal. Everything that a person sees,
 * decides on or is allowed to do is part of it, so that an answer is never taken for another question. Only the time
 * limit and the layout are left out. A field that is added to `WireRequest` is covered by default.
 */
export function requestDigest(toolName: string, request: WireRequest): string {
  const { timeoutMs: _time, extendable: _more, presentation: _layout, completedView: _view, ...shown } = request
  return digestOf([toolName, shown])
}

export interface Asking {
  sessionId: string
  runId: string
  toolCallId: string
  toolName: string
  interactionId: string
  attempt: number
  now: number
  replaces?: string
}

export function requestEvent(request: WireRequest, asking: Asking): InteractionRequestEvent {
  const { now, ...ids } = asking
  const expiresAt = iso(now + request.timeoutMs)
  return { type: 'interaction_request', timestamp: iso(now), ...ids, ...request, expiresAt } as InteractionRequestEvent
}

/** Throws for an invalid question before it is asked. */
export function checkRequest(event: InteractionRequestEvent, limits: Limits): void {
  const bytes = byteLength(event.prompt ?? '')
  if (bytes > limits.promptBytes) {
    throw tooLarge('prompt_too_large', `The prompt has ${bytes} bytes; at most ${limits.promptBytes} are allowed`)
  }
  const fields = event.inputSchema?.fields.length ?? 0
  if (fields > limits.fields) {
    throw tooLarge('too_many_fields', `The form has ${fields} fields; at most ${limits.fields} are allowed`)
  }
  const size = byteLength(JSON.stringify(event))
  if (size > limits.eventBytes) {
    throw tooLarge('request_too_large', `The question has ${size} bytes; at most ${limits.eventBytes} are allowed`)
  }
  const parsed = schemas.interactionRequest.safeParse(event)
  if (parsed.success) {
    if (event.inputSchema) checkFields(event.inputSchema)
    if (event.diff) checkHunkIds(event.diff)
    return
  }
  const issue = parsed.error.issues[0]
  const path = issue?.path.join('.') ?? ''
  throw new HoldpointError(
    'invalid_request',
    `The question cannot be asked: ${path ? `"${path}" ` : ''}${issue?.message ?? 'is not valid'}. Correct the request.`,
    { details: { path } },
  )
}

/** A decision names a hunk by its id, or a file without hunks by its path, so both must be unique. */
function checkHunkIds(diff: NonNullable<InteractionRequestEvent['diff']>): void {
  const owners = new Map<string, string>()
  for (const { path, hunks } of diff) {
    for (const id of hunks.length > 0 ? hunks.map((hunk) => hunk.id) : [path]) {
      const other = owners.get(id)
      if (other !== undefined) {
        throw new HoldpointError(
          'invalid_request',
          `The question cannot be asked: "${id}" names a change in ${JSON.stringify(other)} and another one in ${JSON.stringify(path)}, so one decision would count for both. Give each hunk of the diff an id of its own.`,
          { details: { path: 'diff' } },
        )
      }
      owners.set(id, path)
    }
  }
}

function tooLarge(code: HoldpointErrorCode, what: string): HoldpointError {
  return new HoldpointError(code, `${what}. Say less, show a summary, or raise it with createHoldpoint({ limits }).`)
}

/** Returns the request of an earlier question, so that it can be asked again. */
export function wireOf(event: InteractionRequestEvent | AuthNeededEvent): WireRequest {
  return (event.type === 'interaction_request' ? wireOnly(event) : {}) as WireRequest
}
