import { setTimeout as sleep } from 'node:timers/promises'
import { storeError } from '../../shared/errors.ts'
import { isCut, isRefusal, isRetryable, type Phase, postgresError } from './errors.ts'
import type { PostgresClient, PostgresPool } from './pool.ts'

export type Rows = Record<string, unknown>[]
export type Query = (text: string, values?: unknown[]) => Promise<Rows>

const RETRIES = 8

/** Runs statements on a pool. Every wait has a timeout, and errors are converted to store errors. */
export class Connections {
  private readonly pool: PostgresPool
  private readonly timeouts: { acquireMs: number; statementMs: number }

  constructor(pool: PostgresPool, timeouts: { acquireMs: number; statementMs: number }) {
    this.pool = pool
    this.timeouts = timeouts
  }

  /** Runs one read. If the connection turns out to be dead, the read is repeated once on another connection. */
  async read(text: string, values: unknown[] = []): Promise<Rows> {
    const once = () => this.on((query) => query(text, values))
    try {
      return await once().catch((error) => (isCut(error) ? once() : Promise.reject(error)))
    } catch (error) {
      throw postgresError(error, 'reading')
    }
  }

  /** Runs one statement that commits by itself. It is repeated only if the server reported that nothing was done. */
  write(text: string, values: unknown[]): Promise<Rows> {
    return this.retrying((during) =>
      this.on((query) => {
        during.phase = 'committing'
        return query(text, values)
      }),
    )
  }

  /** Runs several statements as one transaction, on one connection. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.retrying((during) =>
      this.on(async (query) => {
        // The timeouts are local to this transaction, so that a pooler's next client does not inherit them. They make
        // the server release the locks if this process is disconnected during the transaction.
        const ms = this.timeouts.statementMs
        await query(`BEGIN; SET LOCAL statement_timeout = ${ms}; SET LOCAL idle_in_transaction_session_timeout = ${ms}`)
        try {
          const result = await work(query)
          during.phase = 'committing'
          await query('COMMIT')
          return result
        } catch (error) {
          if (during.phase === 'before') await query('ROLLBACK').catch(() => {})
          throw error
        }
      }),
    )
  }

  /** Returns a connection. The caller must release it. */
  async acquire(): Promise<PostgresClient> {
    const { acquireMs } = this.timeouts
    const pending = this.pool.connect()
    let late = false
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        late = true
        reject(this.noConnection(acquireMs))
      }, acquireMs)
    })
    // A connection that arrives after the timeout is released at once.
    pending.then(
      (client) => late && client.release(),
      () => {},
    )
    try {
      return await Promise.race([pending, tooLate])
    } finally {
      clearTimeout(timer)
    }
  }

  private async on<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.acquire()
    let broken: Error | undefined
    // Without an error listener, a connection that dies during its use would end the process.
    const onError = (error: Error) => {
      broken = error
    }
    client.on('error', onError)
    try {
      return await work(async (text, values) => {
        try {
          const query = { text, ...(values && { values }), query_timeout: this.timeouts.statementMs }
          return (await client.query(query)).rows
        } catch (error) {
          if (!isRefusal(error)) broken = error instanceof Error ? error : new Error(String(error))
          throw error
        }
      })
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  private async retrying<T>(work: (during: { phase: Phase }) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const during: { phase: Phase } = { phase: 'before' }
      try {
        return await work(during)
      } catch (error) {
        if (!isRetryable(error) || attempt === RETRIES) throw postgresError(error, during.phase)
      }
      await sleep(attempt * 2)
    }
  }

  private noConnection(ms: number) {
    const { totalCount, options } = this.pool
    if (totalCount === undefined || totalCount >= (options?.max ?? 10)) {
      return storeError(
        'store_pool_exhausted',
        `No connection of the PostgreSQL pool became free within ${ms} ms. Nothing was done. Look for connections that are never released, or raise the pool's max.`,
        { details: { applied: 'no' } },
      )
    }
    return storeError(
      'store_unavailable',
      `PostgreSQL accepted no connection within ${ms} ms. Nothing was done. Check that the server runs and can be reached.`,
      { details: { applied: 'no' } },
    )
  }
}
