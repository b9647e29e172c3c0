import { HoldpointError } from '@holdpoint/core'
import { checkFields } from '@holdpoint/core/forms'
import {
  type AuthNeededEvent,
  type InteractionRequestEvent,
  interactionRequest,
  type Limits,
} from '@holdpoint/core/protocol'
import { digestOf, recordable } from './canonical.ts'
import { iso } from './decide/transition.ts'
import type { ApprovalQuestion, InputQuestion, Reprompt } from './requests.ts'

/** What a question says, without what the engine adds when it asks. */
export type WireRequest = Pick<
  InteractionRequestEvent,
  | 'interactionType'
  | 'timeoutMs'
  | 'prompt'
  | 'requester'
  | 'approvalScopes'
  | 'audience'
  | 'extendable'
  | 'labels'
  | 'args'
  | 'editable'
  | 'argsSchema'
  | 'diff'
  | 'risk'
  | 'inputSchema'
  | 'initialValues'
  | 'error'
  | 'fieldErrors'
  | 'presentation'
  | 'completedView'
>

export const DEFAULT_TIMEOUT_MS = 5 * 60_000

/** Puts a tool's question into the words of the protocol. */
export function wireRequest(question: ApprovalQuestion | InputQuestion): WireRequest {
  const { key: _key, type, whenUnavailable: _when, requester, timeoutMs = DEFAULT_TIMEOUT_MS, ...rest } = question
  const said: Record<string, unknown> = { ...pick(rest), timeoutMs, interactionType: type }
  if (type === 'approval') said.approvalScopes ??= ['once', 'session']
  if (requester) {
    const { remote: _remote, ...shown } = requester
    said.requester = shown
  }
  return recordable('A question', said) as WireRequest
}

/** The next prompt: everything of the last one that the tool did not change. */
export function reworded(last: InteractionRequestEvent, change: Reprompt, kept?: Record<string, unknown>): WireRequest {
  const { error: _error, fieldErrors: _fieldErrors, initialValues: _values, ...rest } = last
  const { requester, type, timeoutMs, whenUnavailable: _when, ...said } = change
  const next = {
    ...wireOnly(rest),
    ...(kept && { initialValues: kept }),
    ...pick(said),
    ...(type && { interactionType: type }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(requester && { requester }),
  }
  return recordable('A reprompt', next) as WireRequest
}

/** Handlers and options of the host never leave the process, whatever a caller spreads into a question. */
function pick(said: object): Record<string, unknown> {
  const allowed = Object.entries(said).filter(([name, value]) => spoken.has(name) && value !== undefined)
  const { inputSchema, ...fields } = Object.fromEntries(allowed)
  return Array.isArray(inputSchema)
    ? { ...fields, inputSchema: { type: 'form', fields: inputSchema } }
    : { ...fields, ...(inputSchema ? { inputSchema } : {}) }
}

const spoken: ReadonlySet<string> = new Set([
  ...['prompt', 'extendable', 'audience', 'labels', 'presentation', 'completedView', 'error', 'fieldErrors'],
  ...['initialValues', 'approvalScopes', 'args', 'editable', 'argsSchema', 'diff', 'risk', 'inputSchema'],
])

function wireOnly(event: Partial<InteractionRequestEvent>): Record<string, unknown> {
  const { requester, interactionType, timeoutMs } = event
  return { ...pick(event), interactionType, timeoutMs, ...(requester && { requester }) }
}

/** Two questions are the same when this is: what is asked, about what, with which fields. */
export function requestDigest(toolName: string, request: WireRequest): string {
  const { interactionType, prompt, args, inputSchema } = request
  return digestOf([interactionType, toolName, prompt, args, inputSchema])
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

/** Says what is wrong with a question before anybody is asked it. */
export function checkRequest(event: InteractionRequestEvent, limits: Limits): void {
  const bytes = Buffer.byteLength(event.prompt ?? '')
  if (bytes > limits.promptBytes) {
    throw tooLarge('prompt_too_large', `The prompt has ${bytes} bytes; at most ${limits.promptBytes} are allowed`)
  }
  const fields = event.inputSchema?.fields.length ?? 0
  if (fields > limits.fields) {
    throw tooLarge('too_many_fields', `The form has ${fields} fields; at most ${limits.fields} are allowed`)
  }
  const size = Buffer.byteLength(JSON.stringify(event))
  if (size > limits.eventBytes) {
    throw tooLarge('request_too_large', `The question has ${size} bytes; at most ${limits.eventBytes} are allowed`)
  }
  const parsed = interactionRequest.safeParse(event)
  if (parsed.success) {
    if (event.inputSchema) checkFields(event.inputSchema)
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

function tooLarge(code: string, what: string): HoldpointError {
  return new HoldpointError(code, `${what}. Say less, show a summary, or raise it with createHoldpoint({ limits }).`)
}

/** What a question said, as it can be said again. */
export function wireOf(event: InteractionRequestEvent | AuthNeededEvent): WireRequest {
  return (event.type === 'interaction_request' ? wireOnly(event) : {}) as WireRequest
}
