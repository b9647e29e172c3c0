import type { PGlite } from '@electric-sql/pglite'
import type { PostgresClient, PostgresPool } from '../../src/store/postgres/pool/pool.ts'

/** PostgreSQL in this process, as a pool of one connection: a second user of the pool waits. */
export function pglitePool(db: PGlite): PostgresPool {
  let last: Promise<void> = Promise.resolve()
  return {
    options: { max: 1 },
    totalCount: 1,
    async connect() {
      const before = last
      let release = () => {}
      last = new Promise((resolve) => {
        release = resolve
      })
      await before
      const client: PostgresClient = {
        async query({ text, values }) {
          // Without values it may be several statements, which only the simple protocol takes.
          if (values) return await db.query(text, values)
          const results = await db.exec(text)
          return { rows: results.at(-1)?.rows ?? [] }
        },
        release: () => release(),
        on: () => {},
        off: () => {},
      }
      return client
    },
    on: () => {},
    end: async () => {},
  }
}
