import type { Interaction } from '@holdpoint/core'

/** How a question ended, in the AI SDK's words. */
export interface Decision {
  approved: boolean
  /** For the model. */
  reason?: string
}

/**
 * Returns undefined while the question is open. The approval in the page's messages only informs the model: the server
 * reads its own store.
 */
export function decisionOf(interaction: Interaction): Decision | undefined {
  const { status, kind, response, draft, authResult } = interaction
  switch (status) {
    case 'answered': {
      if (kind === 'connect') return authResult?.success === false ? no(authResult.reason) : { approved: true }
      const { action, reason } = response ?? draft?.answer ?? {}
      return action === 'deny' || action === 'decline' || action === 'cancel' ? no(reason) : { approved: true }
    }
    case 'expired':
      return no('The user did not answer in time. Nothing was done.')
    case 'superseded':
      return no('The user continued without answering. Nothing was done.')
    case 'cancelled':
    case 'failed':
      return no('The person cancelled this. Nothing was done.')
    default:
      return undefined
  }
}

const no = (reason: string | undefined): Decision => ({ approved: false, ...(reason !== undefined && { reason }) })
