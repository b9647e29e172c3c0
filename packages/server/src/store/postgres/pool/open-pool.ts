import { storeError } from '../../shared/errors.ts'
import type { PostgresPool } from './pool.ts'

export interface PoolOptions {
  connectionString: string | undefined
  max: number
  acquireMs: number
  statementMs: number
  /** True if connections lead to the server itself, and not to a pooler, which may reject settings at connect. */
  direct: boolean
}

/** Creates a pool of `pg`, which is loaded only if this store is used. */
export async function openPool({ connectionString, max, acquireMs, statementMs, direct }: PoolOptions) {
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw storeError('store_unavailable', 'postgresStore() needs the package "pg": npm install pg', { cause })
  })
  const pool: PostgresPool = new pg.Pool({
    ...(connectionString !== undefined && { connectionString }),
    max,
    // Longer than the timeout of `Connections`, so that it only ends attempts that hang.
    connectionTimeoutMillis: acquireMs + 1_000,
    keepAlive: true,
    allowExitOnIdle: true,
    fallback_application_name: 'holdpoint',
    ...(direct && { statement_timeout: statementMs, idle_in_transaction_session_timeout: statementMs }),
  })
  return pool
}
