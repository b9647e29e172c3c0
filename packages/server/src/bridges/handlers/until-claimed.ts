import { isHoldpointError } from '@holdpoint/core'
import { type Environment, pause } from '../../base/environment.ts'

/** The maximum number of tries, while repetitions of the same request compete for the call. */
const TRIES = 30
const STEP_MS = 10
/** The longest pause between tries. Pauses grow, so that one repetition succeeds even on a slow machine. */
const LONGEST_MS = 4_000

/**
 * Runs work that claims a tool call, and runs it again if another repetition of the same request claimed the call
 * meanwhile. Both claims succeed or neither does.
 */
export async function untilClaimed<T>(environment: Environment, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isHoldpointError(error, 'ownership_lost') || tries === TRIES) throw error
      const luck = (environment.randomBytes(1)[0] ?? 0) / 255
      await pause(environment, luck * Math.min(tries ** 2 * STEP_MS, LONGEST_MS))
    }
  }
}
