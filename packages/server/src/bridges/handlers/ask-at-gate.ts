import { isHoldpointError } from '@holdpoint/core'
import type { Environment } from '../../base/environment.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import type { Session } from '../../engine/session/create-session.ts'
import { refusedBy } from './tool-not-run.ts'
import { untilClaimed } from './until-claimed.ts'

/** A tool call whose questions are asked before it runs, with the input that they are bound to. */
export type GatedCall = Parameters<Session['gate']>[0]

/**
 * Asks the questions of a call before it runs. Returns the id of the question that stays open. Undefined if all are
 * settled, even by a denial, or if the call has begun: the call itself reads and records the outcome.
 */
export async function askAtGate(
  environment: Environment,
  session: Session,
  call: GatedCall,
  settle: (gate: ToolContext) => Promise<unknown>,
): Promise<string | undefined> {
  try {
    await untilClaimed(environment, () => settle(session.gate(call)))
    return undefined
  } catch (error) {
    if (isHoldpointError(error, 'interaction_waiting')) return String(error.details.interactionId)
    if (refusedBy(error) || isHoldpointError(error, 'call_begun')) return undefined
    throw error
  }
}
