import type {
  AgentContext,
  ClientCapabilities,
  CreateElicitationRequest,
  RequestPermissionRequest,
} from '@agentclientprotocol/sdk'
import { escapeInvisible, type InteractionRequestEvent } from '@holdpoint/core/internal'
import { shownDigest } from '@holdpoint/core/wire'
import { digestOf } from '../../base/canonical-json.ts'
import type { InteractionRecord } from '../../engine/api/interactions.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { answerFromForm, type ClientAnswer, wayFor } from '../handlers/client-form.ts'

/** A connected client of the Agent Client Protocol, and the user whom your server has authenticated. */
export interface AcpAgentOptions {
  client: Pick<AgentContext, 'request'>
  /** The id of the session in the protocol. */
  acpSessionId: string
  capabilities: ClientCapabilities | undefined
  userId: string
  tenant?: string
  /**
   * Returns the address of the page that answers a question, such as `pages.url` of `answerPage`. Questions for
   * secrets, accounts and high-risk calls are answered only there.
   *
   * @default none: these questions wait for another surface
   */
  url?: (question: { sessionId: string; interactionId: string }) => string | Promise<string>
}

/** The outcome of a question in the client. */
export type ShownInClient = 'answered' | 'refused' | 'left_open' | 'not_shown'

const SCOPES = { once: 'allow_once', session: 'allow_always', always: 'allow_always' } as const
type Scope = keyof typeof SCOPES

/**
 * Returns a function that shows an open question in the client of an agent: an approval as a permission request, a form
 * as an elicitation. Call it from `onAsked` for the sessions that are connected to this process. The question can also
 * be answered on another surface, and the first answer wins.
 *
 * @example
 * const show = acpAgent(holdpoint, { client, acpSessionId, capabilities, userId: 'ada' })
 * // createHoldpoint({ hooks: { onAsked: (notice) => connected.get(notice.sessionId)?.(notice) } })
 */
export function acpAgent(
  holdpoint: Holdpoint,
  options: AcpAgentOptions,
): (question: { sessionId: string; interactionId: string }) => Promise<ShownInClient> {
  const { client, acpSessionId, capabilities, userId, tenant, url } = options
  const owner = { ...(tenant !== undefined && { tenant }) }
  const can = { form: Boolean(capabilities?.elicitation?.form), url: Boolean(capabilities?.elicitation?.url && url) }

  const elicit = (params: Omit<CreateElicitationRequest, 'sessionId'>) =>
    client.request('elicitation/create', { ...params, sessionId: acpSessionId } as CreateElicitationRequest)

  return async ({ sessionId, interactionId }) => {
    const record = await holdpoint.interactions.get({ sessionId, interactionId, ...owner })
    if (record?.status !== 'open') return 'not_shown'
    const said = await ask(record)
    if (said === 'not_shown') return said
    if (said === 'open' || said === 'invalid') return 'left_open'
    const outcome = await holdpoint.answer({
      principal: { userId, ...owner },
      ...{ sessionId, interactionId, clientId: 'acp' },
      answerId: `acp ${digestOf([interactionId, said])}`,
      answer: { ...said, shownDigest: shownDigest(record.request) },
    })
    return outcome.status === 'refused' ? 'refused' : 'answered'
  }

  async function ask(record: InteractionRecord): Promise<ClientAnswer | 'open' | 'invalid' | 'not_shown'> {
    const request = record.request as InteractionRequestEvent
    const isPlain = request.risk !== 'high' && request.diff === undefined
    if (record.kind === 'approval' && isPlain) return await askPermission(record, request)
    const { way, ...form } = wayFor(record, can)
    if (way === 'text') return 'not_shown'
    if (way === 'form' && 'params' in form) return answerFromForm(record.kind, await elicit(form.params as never))
    const { sessionId, interactionId } = record
    const address = await url?.({ sessionId, interactionId })
    const message = escapeInvisible(request.prompt ?? 'Your answer is needed.')
    await elicit({ mode: 'url', message, url: address, elicitationId: interactionId } as never)
    // Opening the page does not answer the question. The user answers on the page.
    return 'open'
  }

  async function askPermission(
    record: InteractionRecord,
    request: InteractionRequestEvent,
  ): Promise<ClientAnswer | 'open'> {
    const { prompt, args, facts = [], labels, approvalScopes = ['once'], approvalLabel } = request
    const scopes = approvalScopes.filter((scope): scope is Scope => scope in SCOPES)
    const names = { once: labels?.approve ?? 'Approve', session: 'For this session', always: 'Always' }
    const lines = facts.map(({ label, value }) => (value === undefined ? label : `${label}: ${value}`))
    const params: RequestPermissionRequest = {
      sessionId: acpSessionId,
      toolCall: {
        toolCallId: record.toolCallId,
        title: escapeInvisible(prompt ?? `Run ${record.names.tool}?`),
        ...(args !== undefined && { rawInput: args }),
        content: lines.map((text) => ({
          type: 'content' as const,
          content: { type: 'text' as const, text: escapeInvisible(text) },
        })),
      },
      options: [
        ...scopes.map((scope) => ({
          optionId: scope,
          kind: SCOPES[scope],
          name:
            scope === 'once' || !approvalLabel ? names[scope] : `${names[scope]}: ${escapeInvisible(approvalLabel)}`,
        })),
        { optionId: 'deny', kind: 'reject_once' as const, name: labels?.deny ?? 'Deny' },
      ],
    }
    const { outcome } = await client.request('session/request_permission', params)
    if (outcome.outcome !== 'selected') return 'open'
    if (outcome.optionId === 'deny') return { action: 'deny' }
    const scope = scopes.find((one) => one === outcome.optionId)
    return scope ? { action: 'approve', approvalScope: scope } : 'open'
  }
}
