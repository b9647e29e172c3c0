import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import { digestOf } from '../../base/canonical-json.ts'
import type { Environment } from '../../base/environment.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import type { Session, ToolCallOptions } from '../../engine/session/create-session.ts'
import { refusedBy } from './not-done.ts'
import { untilClaimed } from './until-claimed.ts'

/** The name of the journal step that records the input that the questions of a call show. */
export const INPUT = 'bridge input'

/**
 * Asks the questions of a call before it runs. Returns the id of the open question, or undefined if all are settled,
 * even by a denial: the call itself reads and records a denial. An approval covers only the input that was shown.
 */
export async function askAtGate(
  environment: Environment,
  session: Session,
  call: Omit<ToolCallOptions, 'signal'>,
  input: unknown,
  settle: (gate: ToolContext) => Promise<unknown>,
): Promise<string | undefined> {
  try {
    await untilClaimed(environment, async () => {
      const gate = session.gate(call)
      const bound = await gate.once(INPUT, () => digestOf(input))
      if (bound !== digestOf(input)) throw otherInput(call.toolName)
      await settle(gate)
    })
    return undefined
  } catch (error) {
    if (isHoldpointError(error, 'interaction_waiting')) return String(error.details.interactionId)
    if (refusedBy(error) || isHoldpointError(error, 'call_begun')) return undefined
    throw error
  }
}

function otherInput(name: string): HoldpointError {
  return new HoldpointError(
    'call_mismatch',
    `${name} was not run: the question showed another input of this call. An approval counts for the input that was shown.`,
  )
}
