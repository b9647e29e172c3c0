import { randomUUID } from 'node:crypto'
import type { Bench } from '@holdpoint/conformance/store'
import type { PostgresStore } from '@holdpoint/server/postgres'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'

/**
 * One schema for all tests of a suite, emptied after each: creating it takes longer than most tests. `direct` is the
 * server itself, also when the stores go through a pooler.
 */
export function benchesOn(direct: string, make: (schema: string, offset: () => number) => PostgresStore) {
  const schema = `suite_${randomUUID().replaceAll('-', '_').slice(0, 18)}`
  const admin = new pg.Client(direct)
  beforeAll(async () => {
    await admin.connect()
  })
  afterAll(async () => {
    await admin.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await admin.end()
  })
  return async ({ offset }: { offset: () => number }): Promise<Bench> => ({
    store: make(schema, offset),
    another: async () => make(schema, offset),
    dispose: async () => {
      const tables = ['parts', 'events', 'rows', 'tags', 'changes']
      await admin.query(tables.map((table) => `DELETE FROM ${schema}.${table}`).join('; '))
    },
  })
}
