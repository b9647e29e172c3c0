import { isHoldpointError } from '@holdpoint/core'
import { type Environment, pause } from '../../base/environment.ts'

/** How often a call is tried that repetitions of the same request take from each other, and how far apart. */
const TRIES = 30
const STEP_MS = 10

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
      await pause(environment, ((environment.randomBytes(1)[0] ?? 0) / 255) * tries * STEP_MS)
    }
  }
}
