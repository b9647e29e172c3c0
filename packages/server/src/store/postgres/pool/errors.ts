import { isHoldpointError } from '@holdpoint/core'
import type { StoreErrorCode } from '../../port.ts'
import { storeError } from '../../shared/errors.ts'

/** The phase in which a call failed. It decides whether a commit may have been applied. */
export type Phase =
  /** Nothing had been sent, or it cannot have been committed yet. */
  | 'before'
  /** A statement that commits by itself, or COMMIT, was under way. */
  | 'committing'
  | 'reading'

/**
 * Returns the SQLSTATE of an error that the server sent, or undefined for all other errors, such as socket errors and
 * timeouts.
 */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined
}

/**
 * Returns whether the server rejected the statement and continues. The statement's effects are rolled back then, and
 * the connection can still be used.
 */
export function isRefusal(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && !/^(08|57P|58|XX|25P03|53300|F0)/.test(state)
}

/** Returns whether the connection ended during the statement. */
export function isCut(error: unknown): boolean {
  const state = sqlState(error)
  if (state) return /^(08|57P)/.test(state)
  return (
    error instanceof Error &&
    (/^Connection terminated|not queryable/.test(error.message) || codeOf(error) === 'ECONNRESET')
  )
}

/** Returns whether two transactions conflicted, so that a repetition will succeed. */
export function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error) ?? '')
}

/** Returns whether one item may have caused the error for its whole group, and nothing of the group was written. */
export function isSeparable(error: unknown): boolean {
  return isHoldpointError(error) && error.details.separable === true
}

const BY_STATE: readonly [RegExp, StoreErrorCode, string][] = [
  [/^53100/, 'store_full', 'The disk of the PostgreSQL server is full. Nothing was written. Free some space there.'],
  [
    /^(25006|25P02)/,
    'store_readonly',
    'PostgreSQL takes no writes here: this is a replica, or default_transaction_read_only is on. Connect to the primary.',
  ],
  [
    /^(57014|55P03)/,
    'store_busy',
    'PostgreSQL did not finish in time: another transaction held a lock, or the server is overloaded. Nothing was written. Look at pg_stat_activity, or raise statementTimeoutMs.',
  ],
  [
    /^40/,
    'store_busy',
    'PostgreSQL could not order this among other transactions, several times in a row. Nothing was written. Try again; if it stays, look for long transactions on the schema.',
  ],
  [
    /^53300/,
    'store_pool_exhausted',
    'The PostgreSQL server accepts no more connections (max_connections). Lower the pools of its clients, or put a pooler in front of it.',
  ],
  [
    /^(3F000|42P01|42883|42703)/,
    'store_unavailable',
    'The schema of the store is missing or older than this release. Call open() or migrate() with the right to create tables, or run the output of postgresSchemaSql().',
  ],
  [
    /^(42501|28)/,
    'store_unavailable',
    'This PostgreSQL user may not do that. Grant it USAGE on the schema, and SELECT, INSERT, UPDATE, DELETE and EXECUTE on what is in it.',
  ],
  [/^XX00[12]/, 'store_corrupt', 'PostgreSQL reports damaged data. Stop writing to it and restore a backup.'],
  [/^(22|54)/, 'store_invalid', 'PostgreSQL cannot hold a row or event of this commit. Nothing was written.'],
]

/** Converts an error of the driver or the server to a store error that says what happened, why, and what to do. */
export function postgresError(error: unknown, phase: Phase): unknown {
  if (isHoldpointError(error)) return error
  const state = sqlState(error)
  const applied = phase === 'committing' && !isRefusal(error) ? 'unknown' : 'no'
  const details = {
    ...(phase !== 'reading' && { applied }),
    ...(state && { state }),
    // All of these are refusals, so nothing was written.
    separable: /^(22|54|53100|57014|55P03)/.test(state ?? ''),
  }
  for (const [pattern, code, message] of BY_STATE) {
    if (state && pattern.test(state)) return storeError(code, message, { cause: error, details })
  }
  if (!state && !isConnectionError(error)) return error
  const what = error instanceof Error ? error.message : String(error)
  if (isRefusal(error)) {
    return storeError(
      'store_unavailable',
      `PostgreSQL refused a statement of the store (${state}: ${what}). Nothing was written. The store needs PostgreSQL 13 or newer and a schema that only it changes.`,
      { cause: error, details },
    )
  }
  const remedy =
    phase === 'committing'
      ? 'Whether the commit took place is not known: load the rows again before deciding anything.'
      : 'Nothing was written. Check that the server runs and can be reached, then try again.'
  return storeError('store_unavailable', `PostgreSQL is not available (${what}). ${remedy}`, { cause: error, details })
}

/**
 * Returns whether an error of a socket or of `pg` means that the server is not reachable. Any other error without a
 * SQLSTATE is a bug in Holdpoint.
 */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    /^E[A-Z_]+$/.test(codeOf(error)) ||
    /connection|terminat|timeout|not queryable|closed|SSL|SCRAM|password/i.test(error.message)
  )
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
