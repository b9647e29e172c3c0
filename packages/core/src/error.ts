import type { HoldpointErrorCode } from './protocol/error-codes.ts'

/**
 * The one error class of Holdpoint. It has a stable code to branch on, and a message with what failed, why, and the
 * remedy.
 *
 * @example try { await client.cancelRun(runId) } catch (error) { if (isHoldpointError(error)) show(error.code,
 * error.message) }
 */
export class HoldpointError extends Error {
  override readonly name: string = 'HoldpointError'
  /** The code to branch on. A newer server may send a code that this version does not know. */
  readonly code: HoldpointErrorCode
  /** Facts for a program: status, field errors, paths. Never secrets. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: HoldpointErrorCode,
    message: string,
    options: { cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
  }
}

/**
 * True for errors of Holdpoint, also when they come from another copy of the package.
 *
 * @example
 * try { await manager.token() } catch (error) {
 *   if (isHoldpointError(error, 'session_lost')) showSignIn()
 *   else throw error
 * }
 */
export function isHoldpointError(error: unknown, code?: HoldpointErrorCode): error is HoldpointError {
  return (
    error instanceof Error &&
    typeof (error as { code?: unknown }).code === 'string' &&
    'details' in error &&
    (code === undefined || (error as { code?: unknown }).code === code)
  )
}
