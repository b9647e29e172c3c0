import { isHoldpointError } from '@holdpoint/core'
import { jsonSchemaFromFields } from '@holdpoint/core/forms'
import {
  escapeInvisible,
  type FormSpec,
  type InteractionRequestEvent,
  type ToolInteractionResponseMessage,
} from '@holdpoint/core/internal'
import type { InteractionRecord } from '../../engine/api/interactions.ts'

/** A question with a longer message is shown on its page, because people do not read it in a dialog. */
const MESSAGE_LENGTH = 4_000
const SCOPES = { once: 'Approve once', session: 'Approve for this session', always: 'Always approve' } as const
type Scope = keyof typeof SCOPES

/** A form or a page that a client shows its user, as MCP and ACP define it. */
export type ElicitParams =
  | { mode: 'form'; message: string; requestedSchema: object }
  | { mode: 'url'; message: string; url: string; elicitationId: string }

/** The kinds of elicitation that a client can show. */
export interface CanShow {
  form: boolean
  url: boolean
}

/** The response of a client. Nothing in it is validated yet. */
interface Response {
  action: string
  content?: Record<string, unknown>
}

/**
 * How a question reaches the user: in the client's form, on the answer page, or as a text with the address of that
 * page.
 */
export type Way = { way: 'form'; params: ElicitParams } | { way: 'url' } | { way: 'text' }

/** Returns the first way that the client supports and that is allowed for the question. */
export function wayFor(record: InteractionRecord, can: CanShow, error?: string): Way {
  const params = can.form ? formOf(record, error) : undefined
  if (params) return { way: 'form', params }
  return { way: can.url ? 'url' : 'text' }
}

/** Returns the form of a question, or undefined if it must be answered on its page. */
function formOf({ kind, request }: InteractionRecord, error?: string): ElicitParams | undefined {
  const asked = request as InteractionRequestEvent
  if (kind === 'connect' || asked.risk === 'high' || asked.diff !== undefined) return undefined
  const message = messageOf(asked, error)
  if (message.length > MESSAGE_LENGTH) return undefined
  if (kind === 'approval') return { mode: 'form', message, requestedSchema: approvalSchema(asked) }
  try {
    const fields = asked.inputSchema as FormSpec
    return { mode: 'form', message, requestedSchema: jsonSchemaFromFields(fields, { dialect: 'mcp-2026-07-28' }) }
  } catch (cause) {
    // Another program's form must not ask for secrets or files.
    if (isHoldpointError(cause, 'unsupported_schema')) return undefined
    throw cause
  }
}

/** Returns the text of a question with everything that a card would show, so that the user sees what will run. */
function messageOf(
  { prompt, args, facts = [], approvalLabel, error: before, fieldErrors }: InteractionRequestEvent,
  error?: string,
) {
  const wrong = Object.entries(fieldErrors ?? {}).map(([field, texts]) => `${field}: ${texts.join(' ')}`)
  return [
    ...[error, before, ...wrong].filter((line) => line !== undefined),
    prompt ?? 'Your answer is needed.',
    ...(args === undefined ? [] : [JSON.stringify(args, null, 2)]),
    ...facts.map(({ label, value }) => (value === undefined ? label : `${label}: ${value}`)),
    ...(approvalLabel === undefined ? [] : [`A wider approval covers: ${approvalLabel}`]),
  ]
    .map(escapeInvisible)
    .join('\n\n')
}

function approvalSchema({ approvalScopes, approvalCovers, approvalLabel, labels }: InteractionRequestEvent): object {
  const scopes = (approvalScopes ?? ['once']).filter((scope): scope is Scope => scope in SCOPES)
  const covered = { tool: ' (also other requests of this tool)', request: ' (this request)' }
  const wider = approvalLabel
    ? `, for ${escapeInvisible(approvalLabel)}`
    : approvalCovers
      ? covered[approvalCovers]
      : ''
  const choices = scopes.map((scope) => ({
    const: scope,
    title: scope === 'once' ? (labels?.approve ?? SCOPES.once) : `${SCOPES[scope]}${wider}`,
  }))
  return {
    type: 'object',
    properties: {
      decision: {
        type: 'string',
        title: 'Decision',
        oneOf: [...choices, { const: 'deny', title: labels?.deny ?? 'Deny' }],
      },
      reason: { type: 'string', title: 'Reason (if you deny)', maxLength: 1_000 },
    },
    required: ['decision'],
  }
}

/** The answer of a person, or undefined if the dialog was closed without a decision. */
export type ClientAnswer = Pick<ToolInteractionResponseMessage, 'action' | 'approvalScope' | 'input' | 'reason'>

/** Converts the response of a client's form. `invalid` means that it decides nothing and must be asked again. */
export function answerFromForm(kind: InteractionRecord['kind'], response: unknown): ClientAnswer | 'open' | 'invalid' {
  const { action, content } = (response ?? {}) as Partial<Response>
  if (action === 'decline') return { action: kind === 'input' ? 'decline' : kind === 'connect' ? 'cancel' : 'deny' }
  if (action === 'cancel') return 'open'
  if (action !== 'accept' || typeof content !== 'object' || content === null) return 'invalid'
  if (kind === 'input') return { action: 'submit', input: content }
  const { decision, reason } = content
  if (decision === 'deny') return { action: 'deny', ...(typeof reason === 'string' && reason !== '' && { reason }) }
  if (typeof decision !== 'string' || !Object.hasOwn(SCOPES, decision)) return 'invalid'
  return { action: 'approve', approvalScope: decision as Scope }
}
