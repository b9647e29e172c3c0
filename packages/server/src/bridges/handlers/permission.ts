import { escapeToOneLine } from '@holdpoint/core/internal'
import { digestOf } from '../../base/canonical-json.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import type { Holdpoint } from '../../holdpoint.ts'

/** The user whose permission is needed, and the run. */
export interface PermissionOptions {
  sessionId: string
  userId: string
  tenant?: string
  runId: string
  /** Milliseconds until the question expires. @default 300_000 */
  timeoutMs?: number
}

/** A tool call of an agent that waits for permission. */
export interface PermissionRequest {
  toolCallId: string
  toolName: string
  /** The question in the agent's words. @default the name of the tool */
  title?: string
  /** More about the call, in the agent's words. */
  description?: string
  /** The arguments of the call. */
  input: unknown
  /** With `high`, the card asks for a second confirmation. */
  risk?: 'high'
  /** True if the user may edit `input`. */
  editable?: boolean
  /** Rules that stop the agent from asking again. The card offers them as an approval for the session. */
  suggestions?: readonly { id: string; label: string }[]
  signal?: AbortSignal
}

/** The decision of the user. */
export type Permission =
  | {
      decision: 'allow'
      /** The arguments that may run: the input, or the user's edit of it. */
      input: unknown
      edited: boolean
      /** The suggestions that the user accepted. */
      suggestions: readonly string[]
    }
  | { decision: 'deny'; outcome: string; message: string }

/** Creates a handler that asks the user whether a tool call of another agent may run. */
export function permissionHandler(
  holdpoint: Holdpoint,
  { sessionId, userId, tenant, runId, timeoutMs }: PermissionOptions,
): (request: PermissionRequest) => Promise<Permission> {
  const session = holdpoint.session(sessionId, { userId, ...(tenant !== undefined && { tenant }) })

  // Equal requests in this process share one question, because a tool call has one owner at a time.
  const open = new Map<string, Promise<Permission>>()
  return (request) => {
    const { signal: _own, ...same } = request
    const key = digestOf(same)
    const asking = open.get(key) ?? ask(request, key).finally(() => open.delete(key))
    open.set(key, asking)
    return asking
  }

  /** The key separates requests with other inputs under one id: each has a question and an answer of its own. */
  async function ask(request: PermissionRequest, key: string): Promise<Permission> {
    const { toolCallId, toolName, signal } = request
    const ctx = session.toolCall({ runId, toolCallId, toolName, ...(signal && { signal }) })
    return await askPermission(ctx, { ...request, key, ...(timeoutMs !== undefined && { timeoutMs }) })
  }
}

/** Asks with the context of a call. At a gate it rejects with `interaction_waiting` while the question is open. */
export async function askPermission(
  ctx: ToolContext,
  request: Omit<PermissionRequest, 'toolCallId' | 'signal'> & { key?: string; timeoutMs?: number },
): Promise<Permission> {
  const { key, title, description, input, editable = false, risk, suggestions = [], timeoutMs } = request
  const ids = suggestions.map(({ id }) => id)
  const wider = ids.length > 0 && {
    rememberAs: ids,
    scopes: ['once', 'session'] as const,
    scopeLabel: suggestions.map(({ label }) => escapeToOneLine(label)).join(', '),
  }
  const answer = await ctx.tryApprove<unknown>({
    ...(title !== undefined && { prompt: escapeToOneLine(title) }),
    args: input,
    editable,
    scopes: ['once'],
    ...(key !== undefined && { key }),
    ...wider,
    ...(description !== undefined && { facts: [{ label: escapeToOneLine(description) }] }),
    ...(risk && { risk }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  if (answer.outcome !== 'approved') {
    const { outcome, reason } = answer
    return { decision: 'deny', outcome, message: reason ?? MESSAGES[outcome] }
  }
  const { args, edited, scope } = answer
  return { decision: 'allow', input: args, edited, suggestions: scope === 'once' ? [] : ids }
}

const MESSAGES = {
  denied: 'The user denied the request.',
  declined: 'The user declined to answer.',
  cancelled: 'The question was cancelled.',
  expired: 'The user did not answer in time.',
  superseded: 'The user continued without answering.',
  unavailable: 'No user is connected who could answer.',
} as const
