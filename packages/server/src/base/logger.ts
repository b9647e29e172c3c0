import { isHoldpointError } from '@holdpoint/core'

/** Where nobody asked for log lines. What has to be looked at goes to `onEvent` and into the rows as well. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Where log lines go. They carry ids and outcomes, never prompts, arguments, inputs or reasons. */
export interface Logger {
  debug(message: string, facts?: Record<string, unknown>): void
  info(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
  error(message: string, facts?: Record<string, unknown>): void
}

/** What there is without a logger: what somebody has to look at goes to the console, except in tests. */
export function defaultLogger(environmentName: string | undefined): Logger {
  const say = environmentName === 'test' ? () => {} : console.error
  return {
    debug() {},
    info() {},
    warn: (message, facts = {}) => say(`[holdpoint] ${message}`, facts),
    error: (message, facts = {}) => say(`[holdpoint] ${message}`, facts),
  }
}

/**
 * The name and code of an error; its text may quote what a person typed. Not that of a store or of a row: it says what to mend, and
 * nobody else will.
 */
export function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error }
  const code: unknown = 'code' in error ? error.code : undefined
  const said = isHoldpointError(error) && /^(store|sqlite|row)_/.test(error.code) && { message: error.message }
  return { error: error.name, ...(typeof code === 'string' && { code }), ...said }
}
