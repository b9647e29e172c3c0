import { describeWith, has, postgresUrl } from '@holdpoint/conformance/services'
import { storeSuite } from '@holdpoint/conformance/store'
import { postgresStore } from '@holdpoint/server/postgres'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { benchesOn } from './one-schema.ts'
import { startPgbouncer } from './pgbouncer.ts'
import { place } from './postgres-place.ts'

const program = has('pgbouncer')

describeWith('PostgreSQL behind pgbouncer in transaction mode', await postgresUrl(), (direct) => {
  describeWith('with polling alone', program, (path) => {
    let pooler: Awaited<ReturnType<typeof startPgbouncer>>
    beforeAll(async () => {
      pooler = await startPgbouncer(path, direct)
    })
    afterAll(() => pooler.stop())

    const make = benchesOn(direct, (schema, clockOffset) =>
      postgresStore({ connectionString: pooler.url, schema, clockOffset, listen: false, pollMs: 30, max: 6 }),
    )
    storeSuite('pgbouncer', make, { modelRuns: 3 })

    test('a user who kept `listen` and passes a pool of their own still receives notifications', async () => {
      const { open } = place(direct)
      const pool = new pg.Pool({ connectionString: pooler.url, max: 4 })
      const writer = await open()
      const reader = await open({ pool, probeMs: 100, pollMs: 30 })
      const heard = new Set<string>()
      reader.subscribe((partitions) => {
        for (const partition of partitions) heard.add(partition)
      })
      // Long after the probe has found the listening connection deaf.
      await new Promise((resolve) => setTimeout(resolve, 400))
      await writer.commit({ partition: 'p', events: ['1'] })
      // A store that relies on LISTEN polls only every five seconds.
      await vi.waitFor(() => expect(heard).toContain('p'), { timeout: 4_500 })
      await reader.close()
      await pool.end()
    })
  })
})
