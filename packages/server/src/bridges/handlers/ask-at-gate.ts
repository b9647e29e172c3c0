import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import { digestOf } from '../../base/canonical-json.ts'
import type { Environment } from '../../base/environment.ts'
import { stepsOf } from '../../engine/api/call-steps.ts'
import type { Engine } from '../../engine/api/engine.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import type { Session, ToolCallOptions } from '../../engine/session/create-session.ts'
import { refusedBy } from './tool-not-run.ts'
import { untilClaimed } from './until-claimed.ts'

/** The name of the journal step that records the input that the questions of a call show. */
export const INPUT = 'bridge input'

/** A session, with the tenant of its owner. */
export interface Owned {
  session: Session
  tenant: string
}

/**
 * Asks the questions of a call before it runs. Returns the id of the open question, or undefined if all are settled,
 * even by a denial: the call itself reads and records a denial. An approval covers only the input that was shown.
 */
export async function askAtGate(
  { reads, environment }: Pick<Engine, 'reads' | 'environment'>,
  { session, tenant }: Owned,
  call: Omit<ToolCallOptions, 'signal'>,
  input: unknown,
  settle: (gate: ToolContext) => Promise<unknown>,
): Promise<string | undefined> {
  const digest = digestOf(input)
  // A repeated call reads the recorded input without claiming the call, which would be one more commit.
  const known = await reads.call({ tenant, sessionId: session.sessionId }, call, INPUT)
  if (known && known.status !== 'suspended') return undefined
  return await openQuestionOf(environment, async () => {
    const gate = session.gate(call)
    const check = (bound: unknown) => {
      if (bound !== digest) throw otherInput(call.toolName)
    }
    if (known?.recorded !== undefined) {
      check(known.recorded)
      await settle(gate)
      return
    }
    const steps = stepsOf(gate)
    // Recorded with the first question. A repeated call that asks at the same time with another input fails there.
    await steps.stage(INPUT, { value: digest, onFound: check })
    try {
      await settle(gate)
    } finally {
      // A call that asks nothing, or is refused without a question, is known by its input too.
      await steps.flush()
    }
  })
}

/**
 * Asks with a gate, and returns the id of the question that stays open. Undefined if the questions are settled or the call
 * has begun: the call itself reads and records the outcome.
 */
export async function openQuestionOf(
  environment: Environment,
  ask: () => Promise<unknown>,
): Promise<string | undefined> {
  try {
    await untilClaimed(environment, ask)
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
