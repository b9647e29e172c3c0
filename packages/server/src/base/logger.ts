import { isHoldpointError } from '@holdpoint/core'

/** A logger that discards everything. Important problems also appear in `onEvent` and in the rows. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Receives log lines. They contain ids and outcomes, never prompts, arguments, inputs or reasons. */
export interface Logger {
  debug(message: string, facts?: Record<string, unknown>): void
  info(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
  error(message: string, facts?: Record<string, unknown>): void
}

/** Returns the logger for an application without one: warnings and errors go to the console, except in tests. */
export function defaultLogger(environmentName: string | undefined): Logger {
  const write = environmentName === 'test' ? () => {} : console.error
  return {
    debug() {},
    info() {},
    warn: (message, facts = {}) => write(`[holdpoint] ${message}`, facts),
    error: (message, facts = {}) => write(`[holdpoint] ${message}`, facts),
  }
}

/**
 * Returns the name and code of an error, because its text may quote a person's input. Errors of a store or of a row
 * keep their text, because it says how to repair them.
 */
export function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error }
  const code: unknown = 'code' in error ? error.code : undefined
  const said = isHoldpointError(error) && /^(store|sqlite|row)_/.test(error.code) && { message: error.message }
  return { error: error.name, ...(typeof code === 'string' && { code }), ...said }
}
