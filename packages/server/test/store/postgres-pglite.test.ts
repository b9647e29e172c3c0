import { PGlite } from '@electric-sql/pglite'
import { storeSuite } from '@holdpoint/conformance/store'
import { postgresStore } from '@holdpoint/server/postgres'
import { afterAll, beforeAll } from 'vitest'
import { pglitePool } from './pglite-pool.ts'

// On every machine, also where there is no PostgreSQL: the same statements in a PostgreSQL compiled for this process.
let db: PGlite
let count = 0
beforeAll(async () => {
  db = await PGlite.create()
})
afterAll(() => db.close())

storeSuite(
  'postgres on PGlite',
  async ({ offset }) => {
    const schema = `lite_${++count}`
    const pool = pglitePool(db)
    const options = { pool, schema, clockOffset: offset, listen: false, pollMs: 30, acquireTimeoutMs: 30_000 }
    const dispose = async () => {
      await db.exec(`DROP SCHEMA ${schema} CASCADE`)
    }
    return { store: postgresStore(options), another: async () => postgresStore(options), dispose }
  },
  { modelRuns: 3 },
)
