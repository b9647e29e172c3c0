import { HoldpointError } from '@holdpoint/core'

/** How the program ends; scripts rely on it. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  /** No user is signed in, or the sign-in has expired: `errand connect <service>`. */
  signedOut: 3,
  /** The person said no, here or at the service. */
  refused: 4,
  /** `ask --confirm` without a terminal: `errand confirm <token> --yes`. */
  confirmationRequired: 5,
  /** The server cannot be reached: trying again later may help. */
  unavailable: 6,
  interrupted: 130,
} as const

export class UsageError extends Error {}
/** Ctrl-C. */
export class Interrupted extends Error {
  constructor() {
    super('Interrupted.')
  }
}

const byCode: Readonly<Record<string, number>> = {
  signed_out: exitCodes.signedOut,
  session_lost: exitCodes.signedOut,
  session_reset_required: exitCodes.signedOut,
  token_missing: exitCodes.signedOut,
  connect_denied: exitCodes.refused,
  not_reachable: exitCodes.unavailable,
  refresh_failed: exitCodes.unavailable,
  unavailable: exitCodes.unavailable,
  rate_limited: exitCodes.unavailable,
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return exitCodes.interrupted
  if (error instanceof UsageError) return exitCodes.usage
  return error instanceof HoldpointError ? (byCode[error.code] ?? exitCodes.failed) : exitCodes.failed
}
