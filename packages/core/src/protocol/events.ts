import { z } from 'zod'
import { utf8Length } from '../json/json.ts'
import { limits } from '../json/limits.ts'
import { inputSchema } from './fields.ts'
import { id, timestamp } from './ids.ts'
import {
  answerAction,
  approvalScope,
  closeReason,
  completedView,
  diffFile,
  fact,
  fieldErrors,
  labels,
  presentation,
  requester,
  responder,
  risk,
  runStatusValue,
} from './interaction.ts'

/** The fields of every event. The cursor belongs to the frame, not to the event. */
const envelope = {
  timestamp,
  sessionId: id,
  runId: id.optional(),
  turnId: id.optional(),
  responseId: id.optional(),
}
const call = { toolCallId: id, toolName: z.string().max(limits.idLength) }

/** Counts bytes instead of characters, because a limit of a server must not depend on the language of the text. */
const prompt = z.string().refine((text) => utf8Length(text) <= limits.promptBytes, {
  message: `is longer than ${limits.promptBytes} bytes`,
})

export const interactionRequest = z.looseObject({
  type: z.literal('interaction_request'),
  ...envelope,
  ...call,
  /** New for each prompt; a reprompt has its own. */
  interactionId: id,
  /** `approval` or `input`; a newer server may send more, which a client shows as a plain fallback. */
  interactionType: z.string(),
  prompt: prompt.optional(),
  requester: requester.optional(),
  approvalScopes: z.array(approvalScope).optional(),
  /**
   * The extent of a scope wider than `once`: this request with all its arguments, or also other requests of the tool.
   */
  approvalCovers: z.enum(['request', 'tool']).optional(),
  /** The host's words for what a wider scope covers. */
  approvalLabel: z.string().optional(),
  audience: z.array(id).optional(),
  extendable: z.boolean().optional(),
  /** At the deadline the tool continues, and the question stays answerable. */
  answerableLater: z.boolean().optional(),
  labels: labels.optional(),
  /** The arguments that will run. They are the same in every prompt of the question. */
  args: z.unknown().optional(),
  /** An edit that was refused: what the editor of `args` starts with. */
  draftArgs: z.unknown().optional(),
  editable: z.boolean().optional(),
  /** Fields for editing `args`, where the tool's schema is flat enough to have them. */
  argsSchema: inputSchema.optional(),
  diff: z.array(diffFile).optional(),
  risk: risk.optional(),
  /** The consequences of an approval, in the host's words. */
  facts: z.array(fact).max(limits.facts).optional(),
  /** Language of the prompt, the labels and the facts. */
  lang: z.string().max(35).optional(),
  inputSchema: inputSchema.optional(),
  initialValues: z.record(z.string(), z.unknown()).optional(),
  error: z.string().optional(),
  fieldErrors: fieldErrors.optional(),
  presentation: presentation.optional(),
  completedView: completedView.optional(),
  timeoutMs: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
  expiresAt: timestamp,
  attempt: z.int().min(1),
  replaces: id.optional(),
  /** A remembered approval has answered this call; the next event is the answer. The question whose approval covers it. */
  coveredBy: z.string().optional(),
})

export const interactionResponse = z.looseObject({
  type: z.literal('interaction_response'),
  ...envelope,
  interactionId: id,
  toolCallId: id,
  action: answerAction,
  approvalScope: approvalScope.optional(),
  /** Secrets are replaced by `{ secret: true }` before the event exists. */
  input: z.record(z.string(), z.unknown()).optional(),
  /** Set if the person changed the arguments: the arguments that will run. The request keeps those that were asked. */
  args: z.unknown().optional(),
  diffDecisions: z.record(z.string(), z.enum(['accept', 'reject'])).optional(),
  reason: z.string().optional(),
  /** A remembered approval gave this answer: the question whose approval covers it. */
  coveredBy: z.string().optional(),
  respondedBy: responder,
  /** The answer came after the tool had stopped waiting. */
  late: z.boolean().optional(),
})

export const interactionUpdated = z.looseObject({
  type: z.literal('interaction_updated'),
  ...envelope,
  interactionId: id,
  expiresAt: timestamp.optional(),
  deferred: z.boolean().optional(),
  /** After an edit: what runs, if the tool's schema changed what the person sent. Replaces the `args` of the response. */
  args: z.unknown().optional(),
})

export const interactionClosed = z.looseObject({
  type: z.literal('interaction_closed'),
  ...envelope,
  interactionId: id,
  reason: closeReason,
  /** A text for the person, never the text of an exception. */
  message: z.string().optional(),
})

const integration = z.string().min(1)
export const authNeeded = z.looseObject({
  type: z.literal('auth_needed'),
  ...envelope,
  ...call,
  interactionId: id,
  /** = runId */
  generationId: id,
  /** = sessionId */
  conversationId: id,
  integrations: z.array(integration).min(1),
  connected: z.array(integration).optional(),
  scopes: z.record(z.string(), z.array(z.string())).optional(),
  /** Why each account is requested: not connected yet, revoked, or more scopes needed. */
  causes: z.record(z.string(), z.enum(['missing', 'expired', 'scopes'])).optional(),
  reason: z.string().optional(),
  expiresAt: timestamp,
})
export const authProgress = z.looseObject({
  type: z.literal('auth_progress'),
  ...envelope,
  interactionId: id,
  connected: integration,
  remaining: z.array(integration),
})
export const authResult = z.looseObject({
  type: z.literal('auth_result'),
  ...envelope,
  interactionId: id,
  success: z.boolean(),
  integrations: z.array(integration),
  reason: z.string().optional(),
})

export const runStatus = z.looseObject({
  type: z.literal('run_status'),
  ...envelope,
  runId: id,
  status: runStatusValue,
  reason: z.string().optional(),
})

export const toolCallStart = z.looseObject({
  type: z.literal('tool_call_start'),
  ...envelope,
  ...call,
  input: z.unknown().optional(),
})
export const toolCallUpdate = z.looseObject({
  type: z.literal('tool_call_update'),
  ...envelope,
  toolCallId: id,
  /** Lines since the last update. */
  logs: z.array(z.string()).optional(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  status: z.string().optional(),
})
export const toolCallComplete = z.looseObject({
  type: z.literal('tool_call_complete'),
  ...envelope,
  ...call,
  /** `completed`, `declined`, `error`, `cancelled`, `queued`, `awaiting_confirmation`; newer ones pass through. */
  status: z.string(),
  output: z.unknown().optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
})

export const userMessage = z.looseObject({
  type: z.literal('user_message'),
  ...envelope,
  text: z.string(),
  interactionId: id.optional(),
})
/** An action that a person took in the interface, after the server accepted it. */
export const userActionEvent = z.looseObject({
  type: z.literal('user_action'),
  ...envelope,
  actionId: id,
  event: z.string(),
  /** The action in words, for the model. */
  message: z.string(),
  toolName: z.string().max(limits.idLength).optional(),
  toolCallId: id.optional(),
  payload: z.unknown().optional(),
})
export const systemMessage = z.looseObject({ type: z.literal('system_message'), ...envelope, text: z.string() })
export const content = z.looseObject({ type: z.literal('content'), ...envelope, text: z.string() })
export const paused = z.looseObject({ type: z.literal('paused'), ...envelope, reason: z.string().optional() })
export const done = z.looseObject({ type: z.literal('done'), ...envelope })

/** An event that this version knows. */
export const knownEvent = z.discriminatedUnion('type', [
  interactionRequest,
  interactionResponse,
  interactionUpdated,
  interactionClosed,
  authNeeded,
  authProgress,
  authResult,
  runStatus,
  toolCallStart,
  toolCallUpdate,
  toolCallComplete,
  userMessage,
  userActionEvent,
  systemMessage,
  content,
  paused,
  done,
])

/** The names of all events that this version knows. */
export const eventTypes: ReadonlySet<string> = new Set(knownEvent.options.map((option) => option.shape.type.value))

/** An event of a newer version or of the host: kept and passed unchanged. */
export const unknownEvent = z
  .looseObject({ type: z.string().min(1).max(256) })
  .refine((event) => !eventTypes.has(event.type), {
    message: 'is a known event type and must have its shape',
  })

/** A tool asks the person for an approval or for input. It carries all that a card needs to show the question. */
export type InteractionRequestEvent = z.infer<typeof interactionRequest>
/** The answer that won. A question has at most one, however many people, tabs or devices answer. */
export type InteractionResponseEvent = z.infer<typeof interactionResponse>
/** A question ended without an answer: it expired, was cancelled or superseded, or failed. */
export type InteractionClosedEvent = z.infer<typeof interactionClosed>
/** A tool needs accounts that the person has to connect before it can continue. */
export type AuthNeededEvent = z.infer<typeof authNeeded>
export type AuthResultEvent = z.infer<typeof authResult>
export type ToolCallCompleteEvent = z.infer<typeof toolCallComplete>
/** An event that this version knows; narrow it by its `type`. */
export type KnownEvent = z.infer<typeof knownEvent>
export type UnknownEvent = { type: string; [key: string]: unknown }
/** Anything that may travel in a session's log. */
export type HoldpointEvent = KnownEvent | UnknownEvent
