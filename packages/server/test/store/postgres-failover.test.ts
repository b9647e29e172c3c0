import { describeWith, postgresPrograms } from '@holdpoint/conformance/services'
import type { Store } from '@holdpoint/server/store'

import { expect, test, vi } from 'vitest'
import { ownPostgres, replicaOf } from './own-postgres.ts'
import { place } from './postgres-place.ts'
import { proxyTo } from './proxy.ts'
import { checkStorm, storm } from './storm.ts'

/** Starting, copying and promoting servers takes its time where others work, too. */
const LIMIT = 120_000

describeWith('a PostgreSQL with a streaming replica', postgresPrograms(), (bin) => {
  const head = async (store: Store) => (await store.readLog('p', { from: 1, limit: 1 })).head

  test(
    'rejects writes to the replica with a code, reads from it, and accepts writes after its promotion',
    async () => {
      const primary = await ownPostgres(bin)
      const { open, schema } = place(primary.url, { ownServer: true })
      const writer = await open()
      await writer.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1' }], events: ['1'] })
      const replica = await replicaOf(bin, primary)
      const reader = await place(replica.url, { ownServer: true }).open({ connectionString: replica.url, schema })
      await writer.commit({ partition: 'p', events: ['2'] })
      await vi.waitFor(async () => expect(await head(reader)).toBe(2), { timeout: 20_000 })
      expect(await reader.list('p', 'k')).toHaveLength(1)
      // A subscription there receives nothing and breaks nothing.
      reader.subscribe(() => {})
      const refused = { code: 'store_readonly', details: { applied: 'no' } }
      await expect(reader.commit({ partition: 'p', events: ['3'] })).rejects.toMatchObject(refused)
      await expect(reader.trim('p', 2)).rejects.toMatchObject(refused)
      await expect(reader.erase('p')).rejects.toMatchObject(refused)
      await writer.close()
      primary.stop('immediate')
      replica.promote()
      const after = await vi.waitFor(() => reader.commit({ partition: 'p', events: ['3'] }), { timeout: 20_000 })
      expect(after).toMatchObject({ ok: true, lastSeq: 3 })
    },
    LIMIT,
  )

  test(
    'fails over to a synchronous replica under load, and nothing acknowledged is lost or repeated',
    async () => {
      const primary = await ownPostgres(bin)
      const { open, client, schema } = place(primary.url, { ownServer: true })
      await (await open()).close()
      const replica = await replicaOf(bin, primary)
      const admin = await client()
      await admin.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
      await admin.query('SELECT pg_reload_conf()')
      const synchronous = async () => {
        const { rows } = await admin.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
        expect(rows).toHaveLength(1)
      }
      await vi.waitFor(synchronous, { timeout: 20_000 })

      const name = await proxyTo(primary.url)
      const store = await open({ connectionString: name.url, max: 4, migrate: false })
      const { tally, end } = storm(store)
      await vi.waitFor(() => expect(tally.kept.length).toBeGreaterThan(200), { timeout: 20_000 })
      await admin.end()
      primary.stop('immediate')
      replica.promote()
      name.lead(replica.url)
      const before = tally.kept.length
      await vi.waitFor(() => expect(tally.kept.length).toBeGreaterThan(before + 200), { timeout: 30_000 })
      await end()
      expect(tally.refused.length).toBeGreaterThan(0)
      await checkStorm(
        await place(replica.url, { ownServer: true }).open({ connectionString: replica.url, schema, migrate: false }),
        tally,
      )
    },
    LIMIT,
  )
})
