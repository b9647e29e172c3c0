import { z } from 'zod'
import { limits } from '../json/limits.ts'
import { needsShownDigest } from '../json/needs-shown-digest.ts'
import { id } from './ids.ts'
import { answerAction, approvalScope, diffDecisions } from './interaction.ts'

/**
 * Identifies the client (a tab or a device) that sent the message. The user comes from `authenticate`, never from a
 * message.
 */
const from = { clientId: id }

export const hello = z.looseObject({
  type: z.literal('hello'),
  ...from,
  interaction: z.looseObject({ supported: z.boolean(), enabled: z.boolean() }).optional(),
  /** Whether the page is visible. A hidden tab keeps its stream, and its user does not look. */
  visible: z.boolean().optional(),
})
export const setInteractionMode = z.looseObject({
  type: z.literal('set_interaction_mode'),
  ...from,
  enabled: z.boolean(),
})

export const toolInteractionResponse = z
  .looseObject({
    type: z.literal('tool_interaction_response'),
    ...from,
    /** The tool call id. */
    callId: id,
    interactionId: id,
    /**
     * Created by the client, and the same for every retry of one answer, so that the server recognizes a repeated
     * winner.
     */
    answerId: id,
    action: answerAction,
    approvalScope: approvalScope.optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    args: z.unknown().optional(),
    diffDecisions: diffDecisions.optional(),
    reason: z.string().max(limits.reasonLength).optional(),
    /**
     * The digest of the question that the person had on screen: SHA-256 of the canonical JSON of its event, in
     * base64url.
     */
    shownDigest: z.string().max(limits.idLength).optional(),
  })
  .refine(({ action, shownDigest }) => shownDigest !== undefined || !needsShownDigest(action), {
    path: ['shownDigest'],
    message: 'is missing: an approval or a form names what was on screen',
  })
export const extendInteraction = z.looseObject({ type: z.literal('extend_interaction'), ...from, interactionId: id })

/** A hint to check the account: the server asks the account provider. `false` cancels nothing. */
export const submitAuthResult = z.looseObject({
  type: z.literal('submit_auth_result'),
  ...from,
  generationId: id,
  integration: id,
  success: z.boolean(),
})

export const userAction = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('tool_event'),
    actionId: id.optional(),
    toolCallId: id,
    toolName: z.string(),
    event: z.string(),
    payload: z.unknown().optional(),
    /** The digest of the call's open question when the person acted, so that the action can approve it. */
    shownDigest: z.string().max(limits.idLength).optional(),
  }),
  z.looseObject({
    type: z.literal('global_event'),
    actionId: id.optional(),
    event: z.string(),
    payload: z.unknown().optional(),
  }),
])
export const userActions = z.looseObject({
  type: z.literal('user_actions'),
  ...from,
  actions: z.array(userAction).min(1).max(limits.userActions),
})
export const cancelRun = z.looseObject({ type: z.literal('cancel_run'), ...from, runId: id })

export const clientMessage = z.discriminatedUnion('type', [
  hello,
  setInteractionMode,
  toolInteractionResponse,
  extendInteraction,
  submitAuthResult,
  userActions,
  cancelRun,
])

export type ToolInteractionResponseMessage = z.infer<typeof toolInteractionResponse>
export type ExtendInteractionMessage = z.infer<typeof extendInteraction>
export type SubmitAuthResultMessage = z.infer<typeof submitAuthResult>
/** An action of a person in a tool's own interface or elsewhere in the app, which the agent should know. */
export type UserAction = z.infer<typeof userAction>
export type UserActionsMessage = z.infer<typeof userActions>
export type CancelRunMessage = z.infer<typeof cancelRun>
/** Every message that a client may send to the server. Only authors of transports and servers need this type. */
export type ClientMessage = z.infer<typeof clientMessage>
