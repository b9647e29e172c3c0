import { HoldpointError } from '@holdpoint/core'
import type { HITLRequest, HITLResponse } from 'langchain'
import type { Approved, ApproveOptions, Refused } from '../../engine/api/questions.ts'
import { sentences } from '../handlers/tool-not-run.ts'

/** One action of a `HITLRequest` as an approval. */
export interface HitlApproval {
  toolName: string
  approve: ApproveOptions<Record<string, unknown>>
}

/**
 * Converts the request of LangChain's `humanInTheLoopMiddleware` to approvals, one for each action. Ask them with
 * `ctx.tryApprove`, each with its own tool call id.
 *
 * @example
 * const outcomes = await Promise.all(
 *   hitlApprovals(request).map(({ toolName, approve }, n) =>
 *     session.toolCall({ runId, toolCallId: `${runId}-${n}`, toolName }).tryApprove(approve),
 *   ),
 * )
 * await agent.invoke(new Command({ resume: hitlResponse(request, outcomes) }), config)
 */
export function hitlApprovals({ actionRequests, reviewConfigs }: HITLRequest): HitlApproval[] {
  return actionRequests.map(({ name, args, description }) => {
    const allowed = reviewConfigs.find(({ actionName }) => actionName === name)?.allowedDecisions ?? []
    return {
      toolName: name,
      approve: {
        ...(description !== undefined && { prompt: description }),
        args,
        scopes: ['once'],
        editable: allowed.includes('edit'),
      },
    }
  })
}

/**
 * Converts the outcomes of these approvals to the response that resumes the agent. The order is the order of the
 * actions. An edit keeps the name of its action, because a person approves arguments of one tool.
 *
 * @example new Command({ resume: hitlResponse(request, outcomes) })
 */
export function hitlResponse(
  { actionRequests }: HITLRequest,
  outcomes: readonly (Approved<Record<string, unknown>> | Refused)[],
): HITLResponse {
  if (outcomes.length !== actionRequests.length) {
    throw new HoldpointError(
      'invalid_request',
      `The request has ${actionRequests.length} actions, got ${outcomes.length} outcomes. Pass one outcome for each action, in the same order.`,
    )
  }
  const decisions = actionRequests.map(({ name }, n): HITLResponse['decisions'][number] => {
    const outcome = outcomes[n]!
    if (outcome.outcome !== 'approved') {
      return { type: 'reject', message: outcome.reason ?? sentences[outcome.outcome] }
    }
    return outcome.edited ? { type: 'edit', editedAction: { name, args: outcome.args } } : { type: 'approve' }
  })
  return { decisions }
}
