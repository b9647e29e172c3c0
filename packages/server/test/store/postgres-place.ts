import { randomUUID } from 'node:crypto'
import { type PostgresStore, postgresStore } from '@holdpoint/server/postgres'
import pg from 'pg'
import { onTestFinished } from 'vitest'

export interface Place {
  schema: string
  url: string
  /** An opened store on the schema; closed after the test. */
  open(options?: Parameters<typeof postgresStore>[0]): Promise<PostgresStore>
  /** A separate connection. */
  client(url?: string): Promise<pg.Client>
}

/** A schema of its own, gone after the test; `ownServer`: with the server. */
export function place(url: string, { ownServer = false } = {}): Place {
  const schema = `test_${randomUUID().replaceAll('-', '_').slice(0, 18)}`
  const client = async (where = url) => {
    const made = new pg.Client(where)
    made.on('error', () => {})
    await made.connect()
    onTestFinished(() => made.end().catch(() => {}))
    return made
  }
  onTestFinished(async () => {
    if (ownServer) return
    const last = new pg.Client(url)
    await last.connect()
    await last.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await last.end()
  })
  return {
    schema,
    url,
    client,
    async open(options = {}) {
      const store = postgresStore({ ...(!options.pool && { connectionString: url }), schema, ...options })
      onTestFinished(() => store.close())
      await store.open()
      return store
    },
  }
}
