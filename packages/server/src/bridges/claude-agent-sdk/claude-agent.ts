import type {
  CanUseTool,
  HookCallback,
  OnElicitation,
  Options,
  PermissionResult,
  PermissionUpdate,
} from '@anthropic-ai/claude-agent-sdk'
import { isHoldpointError } from '@holdpoint/core'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { engineOf } from '../../http/mounted.ts'
import { toBase64Url } from '../../security/hashes.ts'
import { askAtGate } from '../handlers/ask-at-gate.ts'
import { type ElicitationOptions, elicitationHandler } from '../handlers/elicitation.ts'
import { askPermission, type Permission } from '../handlers/permission.ts'
import { asTool } from '../handlers/settle.ts'
import { askUser, isUserQuestion } from './user-questions.ts'

/** The user of one turn of Claude, and how long its questions stay open. */
export interface ClaudeAgentOptions {
  sessionId: string
  userId: string
  tenant?: string
  /** The id of one turn of the agent, which must stay the same when the turn is resumed. */
  runId: string
  /**
   * Tools that end the process at their question, by name. The turn is resumed after the answer. Claude supports this
   * for a turn with a single tool call; other calls wait in the process. `AskUserQuestion` may be one of them.
   *
   * @default none: all questions wait in the process
   */
  defer?: readonly string[]
  /** True if the user may edit the input of a tool before it runs. @default false */
  editable?: boolean
  /** Milliseconds until a question expires. @default 300_000 */
  timeoutMs?: number
  /** Called after the user agreed to open a page of an MCP server. @default none: pages are declined */
  onOpenPage?: ElicitationOptions['onOpenPage']
}

/** The options with which `query` of the Claude Agent SDK asks a person. */
export interface ClaudeAgent {
  /** Spread it into the options of `query`. */
  readonly options: Required<Pick<Options, 'canUseTool' | 'onElicitation' | 'hooks'>>
  /** The id of the Claude session that stopped at a deferred call, for `resume` in the options of `query`. */
  resumes(): Promise<string | undefined>
  /**
   * Pass every message of `query` to it. Returns true for the result message of a turn that stopped at a deferred call.
   */
  waits(message: unknown): Promise<boolean>
}

/** The question of a call as a tool of Holdpoint. Its result is the decision, which is recorded once. */
interface Asked {
  toolCallId: string
  toolName: string
  input: Record<string, unknown>
  title?: string
  description?: string
  defaultToNo?: boolean
  suggestions?: PermissionUpdate[]
}

/**
 * Connects one turn of Claude to a person: permissions, the questions of `AskUserQuestion`, and elicitations of MCP
 * servers. A decision is recorded once, and only one process carries it out.
 *
 * @example
 * const hp = claudeAgent(holdpoint, { sessionId, userId, runId, defer: ['Bash'] })
 * const resume = await hp.resumes()
 * for await (const message of query({ prompt, options: { ...hp.options, ...(resume && { resume }) } })) {
 *   if (await hp.waits(message)) break // `onSettled` begins the next process
 * }
 */
export function claudeAgent(holdpoint: Holdpoint, options: ClaudeAgentOptions): ClaudeAgent {
  const { sessionId, userId, tenant = '', runId, defer = [], editable = false, timeoutMs, onOpenPage } = options
  const engine = engineOf(holdpoint)
  const { environment } = engine
  const session = holdpoint.session(sessionId, { userId, tenant })
  const stored = { tenant, sessionId, userId, runId }
  /** Names this process among those that resume the same turn. */
  const self = toBase64Url(environment.randomBytes(16))

  const settle = (asked: Asked, ctx: ToolContext): Promise<Permission> => {
    const { toolName, input, title, description, defaultToNo, suggestions = [] } = asked
    if (isUserQuestion(toolName, input)) return askUser(ctx, input, timeoutMs)
    return askPermission(ctx, {
      ...{ toolName, input, editable },
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(defaultToNo && { risk: 'high' as const }),
      suggestions: suggestions.map((update) => ({ id: JSON.stringify(update), label: labelOf(update) })),
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
  }

  /** Waits for the decision, or returns the recorded one. One process carries out an approval. */
  async function decide(asked: Asked, signal?: AbortSignal): Promise<Permission> {
    const { toolCallId, toolName } = asked
    const tool = asTool<Permission & { by?: string }>({
      name: toolName,
      settle: async (input, ctx) => ({ args: input, before: await settle(asked, ctx) }),
      execute: async (_input, _ctx, before) => ({ ...(before as Permission), by: self }),
    })
    const ids = { runId, toolCallId, ...(signal && { signal }) }
    const ran = await session.runTool(tool, asked.input, ids).catch(mismatch)
    if (!ran) return notNow(OTHER_INPUT)
    if (ran.status === 'suspended') return notNow('The user has not answered yet.')
    const { by, ...permission } = ran.result
    if (permission.decision === 'deny' || by === self) return permission
    return notNow('Another process carries out this approval. Its result is in the conversation of that process.')
  }

  const canUseTool: CanUseTool = async (toolName, input, given) => {
    const { toolUseID, title, description, defaultToNo, suppressAlwaysAllowRule, suggestions = [], signal } = given
    const asked: Asked = {
      ...{ toolCallId: toolUseID, toolName, input },
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(defaultToNo && { defaultToNo }),
      // A broader permission applies to this session of Claude only. A card must not change settings on the user's
      // machine.
      suggestions: suppressAlwaysAllowRule
        ? []
        : suggestions.map((one) => ({ ...one, destination: 'session' as const })),
    }
    return resultOf(await decide(asked, signal), toolUseID)
  }

  const preToolUse: HookCallback = async (hook, _id, { signal }) => {
    if (hook.hook_event_name !== 'PreToolUse' || !defer.includes(hook.tool_name)) return {}
    const asked: Asked = {
      toolCallId: hook.tool_use_id,
      toolName: hook.tool_name,
      input: hook.tool_input as Record<string, unknown>,
    }
    const { toolCallId, toolName, input } = asked
    const output = (permissionDecision: 'allow' | 'deny' | 'defer', more: object = {}) => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse' as const, permissionDecision, ...more },
    })
    const call = { runId, toolCallId, toolName, input }
    const waiting = await askAtGate(engine.environment, session, call, (gate) => settle(asked, gate)).catch(mismatch)
    if (waiting === null) return output('deny', { permissionDecisionReason: OTHER_INPUT })
    if (waiting !== undefined) return output('defer')
    const permission = await decide(asked, signal)
    if (permission.decision === 'deny') return output('deny', { permissionDecisionReason: permission.message })
    return output('allow', { updatedInput: permission.input })
  }

  const onElicitation: OnElicitation = async (request, { signal, requestId }) => {
    const ask = elicitationHandler(holdpoint, {
      ...{ sessionId, userId, runId, toolCallId: requestId, server: { name: request.serverName } },
      ...(tenant !== '' && { tenant }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(onOpenPage && { onOpenPage }),
    })
    return (await ask(request, { signal })) as Awaited<ReturnType<OnElicitation>>
  }

  return {
    options: { canUseTool, onElicitation, hooks: { PreToolUse: [{ hooks: [preToolUse], onFailure: 'block' }] } },

    async resumes() {
      const kept = await engine.readState(stored)
      return kept?.text
    },

    async waits(message) {
      const { type, session_id, deferred_tool_use } = message as Record<string, unknown>
      if (type !== 'result' || !deferred_tool_use || typeof session_id !== 'string') return false
      const kept = await engine.readState(stored)
      await engine.writeState(stored, { text: session_id, writes: kept?.writes ?? 0 })
      return true
    },
  }
}

function resultOf(permission: Permission, toolUseID: string): PermissionResult {
  if (permission.decision === 'deny') {
    const byUser = permission.outcome === 'denied' && { decisionClassification: 'user_reject' as const }
    return { behavior: 'deny', message: permission.message, toolUseID, ...byUser }
  }
  const { input, suggestions } = permission
  return {
    behavior: 'allow',
    updatedInput: input as Record<string, unknown>,
    toolUseID,
    decisionClassification: 'user_temporary',
    ...(suggestions.length > 0 && { updatedPermissions: suggestions.map((one) => JSON.parse(one)) }),
  }
}

/** Returns the rule in words, for the label of the broader approval. */
function labelOf(update: PermissionUpdate): string {
  if ('rules' in update) {
    return update.rules
      .map(({ toolName, ruleContent }) => [toolName, ruleContent].filter(Boolean).join(': '))
      .join(', ')
  }
  return 'mode' in update ? `mode ${update.mode}` : update.directories.join(', ')
}

const OTHER_INPUT = 'The question showed another input of this call. An approval counts for what was shown.'

function mismatch(error: unknown): null {
  if (isHoldpointError(error, 'call_mismatch')) return null
  throw error
}

const notNow = (message: string): Permission => ({ decision: 'deny', outcome: 'cancelled', message })
