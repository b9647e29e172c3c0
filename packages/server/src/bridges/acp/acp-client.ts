import type {
  ClientRequestHandlersByMethod,
  CreateElicitationResponse,
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import { escapeToOneLine } from '@holdpoint/core/internal'
import type { Holdpoint } from '../../holdpoint.ts'
import { type ElicitationOptions, elicitationHandler } from '../handlers/elicitation.ts'
import { permissionHandler } from '../handlers/permission.ts'

/** The user of one prompt turn, and the agent that asks. */
export interface AcpClientOptions {
  sessionId: string
  userId: string
  tenant?: string
  /**
   * The id of one prompt turn. On `session/cancel`, call `session.cancelRun(runId)`. Open requests then return
   * `cancelled`.
   */
  runId: string
  /** The agent, with the name from your own configuration. */
  agent: { name: string; icon?: string }
  /** Milliseconds until a question expires. @default 300_000 */
  timeoutMs?: number
  /** Called after the user agreed to open a page. @default none: pages are declined */
  onOpenPage?: ElicitationOptions['onOpenPage']
}

type Handlers = ClientRequestHandlersByMethod

/**
 * Returns the handlers of a client of the Agent Client Protocol, such as an editor: permissions and elicitations of its
 * agent become questions. The response names an option that the agent offered; without an offered approval the request
 * is rejected.
 *
 * @example
 * const hp = acpClient(holdpoint, { sessionId, userId, runId, agent: { name: 'Codex' } })
 * client({ name: 'my-app' })
 *   .onRequest('session/request_permission', hp.requestPermission)
 *   .onRequest('elicitation/create', hp.createElicitation)
 */
export function acpClient(
  holdpoint: Holdpoint,
  options: AcpClientOptions,
): {
  requestPermission: Handlers['session/request_permission']
  createElicitation: Handlers['elicitation/create']
} {
  const { agent, onOpenPage, ...turn } = options
  const ask = permissionHandler(holdpoint, turn)

  return {
    async requestPermission({ params, signal }) {
      const { toolCall, options: offered } = params
      const once = offered.find(({ kind }) => kind === 'allow_once')
      const always = offered.find(({ kind }) => kind === 'allow_always')
      // The agent offers no option that approves, so the user is not asked.
      if (!once && !always) return rejected(offered)
      const toolName = toolCall.name ?? toolCall.kind ?? 'tool'
      const title = toolCall.title ?? toolName
      const permission = await ask({
        ...{ toolCallId: toolCall.toolCallId, toolName, input: inputOf(params), signal },
        title: `${agent.name}: ${title}`,
        // The agent's "always" option, with the agent's label. The agent remembers it; Holdpoint remembers it only for
        // the same request.
        suggestions: always
          ? [{ id: JSON.stringify([agent.name, toolName, title]), label: escapeToOneLine(always.name) }]
          : [],
      })
      if (permission.decision === 'deny') {
        const isOver = permission.outcome === 'cancelled' || permission.outcome === 'superseded'
        // The protocol has no field for a reason. An agent that knows this one can pass it to its model.
        return { ...(isOver ? cancelled : rejected(offered)), _meta: { 'holdpoint/reason': permission.message } }
      }
      const chosen = permission.suggestions.length > 0 ? always : once
      return chosen ? { outcome: { outcome: 'selected', optionId: chosen.optionId } } : rejected(offered)
    },

    async createElicitation({ params, requestId, signal }) {
      const id = 'toolCallId' in params && typeof params.toolCallId === 'string' ? params.toolCallId : `${requestId}`
      const handle = elicitationHandler(holdpoint, {
        ...turn,
        ...{ toolCallId: `elicitation ${id}`, server: agent },
        ...(onOpenPage && { onOpenPage }),
      })
      return (await handle(params, { signal })) as CreateElicitationResponse
    },
  }
}

const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }

/** Returns the narrowest rejection that the agent offers. */
function rejected(offered: readonly PermissionOption[]): RequestPermissionResponse {
  const kinds = ['reject_once', 'reject_always'] as const
  const option = kinds.flatMap((kind) => offered.filter((one) => one.kind === kind))[0]
  return option ? { outcome: { outcome: 'selected', optionId: option.optionId } } : cancelled
}

/** The content of the card: the input of the tool, and the changes to files. */
function inputOf({ toolCall: { rawInput, content, locations } }: RequestPermissionRequest): unknown {
  const changes = (content ?? []).filter(({ type }) => type === 'diff')
  const files = (locations ?? []).map(({ path }) => path)
  if (changes.length === 0 && (rawInput !== undefined || files.length === 0)) return rawInput
  return {
    ...(rawInput !== undefined && { input: rawInput }),
    ...(changes.length > 0 ? { changes } : { files }),
  }
}
