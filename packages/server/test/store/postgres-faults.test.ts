import { setTimeout as sleep } from 'node:timers/promises'
import { describeWith, postgresUrl } from '@holdpoint/conformance/services'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { place } from './postgres-place.ts'
import { proxyTo } from './proxy.ts'
import { checkStorm, storm } from './storm.ts'

describeWith('PostgreSQL with faults', await postgresUrl(), (url) => {
  test('loses nothing acknowledged if backends are terminated during a statement', async () => {
    const { open, client, schema } = place(url)
    const name = `storm_${schema}`
    const store = await open({ connectionString: `${url}?application_name=${name}`, max: 4 })
    const admin = await client()
    const { tally, end } = storm(store)
    for (let round = 0; round < 15; round++) {
      await sleep(40)
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [name])
    }
    const before = tally.kept.length
    await vi.waitFor(() => expect(tally.kept.length).toBeGreaterThan(before + 50), { timeout: 20_000 })
    await end()
    expect(tally.refused.length).toBeGreaterThan(0)
    await checkStorm(await open(), tally)
  })

  test('loses nothing acknowledged if sockets are cut at any byte', async () => {
    const { open } = place(url)
    const direct = await open()
    const proxy = await proxyTo(url)
    const store = await open({ connectionString: proxy.url, max: 4 })
    let messages = 0
    proxy.onData = (link) => {
      if (++messages % 13 === 0) link.cut()
    }
    const { tally, end } = storm(store)
    const enough = () => expect(tally.refused.length > 40 && tally.kept.length > 100).toBe(true)
    await vi.waitFor(enough, { timeout: 20_000 })
    proxy.onData = () => {}
    await end()
    await checkStorm(direct, tally)
    expect(await store.commit({ partition: 'p0', events: ['"again"'] })).toMatchObject({ ok: true })
  })

  test('rejects as unknown within bounded time if an acknowledgment is lost, and nothing is done twice', async () => {
    const { open } = place(url)
    const direct = await open()
    const proxy = await proxyTo(url)
    const store = await open({ connectionString: proxy.url, max: 2, statementTimeoutMs: 1_500 })
    proxy.onData = (link, text) => {
      if (text.includes('commit_1') && text.includes('muted')) link.mute()
    }
    await expect(store.commit({ partition: 'p', events: ['"muted"'] })).rejects.toMatchObject({
      code: 'store_unavailable',
      details: { applied: 'unknown' },
    })
    expect(await store.commit({ partition: 'p', events: ['"heard"'] })).toMatchObject({ ok: true, lastSeq: 2 })
    const { events } = await direct.readLog('p', { from: 1, limit: 9 })
    expect(events.map(({ json }) => json)).toEqual(['"muted"', '"heard"'])
  })

  test('rejects with store_unavailable and applies nothing if the server is unreachable', async () => {
    const { open } = place(url)
    const proxy = await proxyTo(url)
    const store = await open({ connectionString: proxy.url, max: 2 })
    const listening = proxy.links.length
    proxy.onData = (link) => link.cut()
    for (const link of proxy.links.slice(0, listening)) link.cut()
    await sleep(20)
    await expect(store.commit({ partition: 'p', events: ['1'] })).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('Check that the server runs'),
      details: { applied: 'no' },
    })
    await expect(store.list('p', 'k')).rejects.toMatchObject({ code: 'store_unavailable' })
  })

  test('rejects with store_pool_exhausted if the pool has no free connection', async () => {
    const { open } = place(url)
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    onTestFinished(() => pool.end())
    const store = await open({ pool, acquireTimeoutMs: 100, listen: false })
    const held = await pool.connect()
    const exhausted = { code: 'store_pool_exhausted', details: { applied: 'no' } }
    await expect(store.commit({ partition: 'p', events: ['1'] })).rejects.toMatchObject(exhausted)
    await expect(store.list('p', 'k')).rejects.toMatchObject({ code: 'store_pool_exhausted' })
    held.release()
    expect(await store.commit({ partition: 'p', events: ['2'] })).toMatchObject({ ok: true, lastSeq: 1 })
    // The connections that came too late went back.
    await vi.waitFor(() => expect(pool.idleCount).toBe(1), { timeout: 20_000 })
    await store.close()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('rejects only the commit whose partition another client has locked', async () => {
    const { open, client, schema } = place(url)
    const store = await open({ statementTimeoutMs: 1_800 })
    await store.commit({ partition: 'locked', events: ['1'] })
    const other = await client()
    await other.query(`BEGIN; SELECT * FROM ${schema}.parts WHERE name = 'locked' FOR UPDATE`)
    const results = await Promise.allSettled(
      ['a', 'locked', 'b', 'c'].map((partition) => store.commit({ partition, events: ['2'] })),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: { code: 'store_busy', details: { applied: 'no' } } })
    await other.query('ROLLBACK')
    expect(await store.commit({ partition: 'locked', events: ['3'] })).toMatchObject({ lastSeq: 2 })
  })

  test('reads from a server that accepts no writes, and rejects commits with store_readonly [R9.1]', async () => {
    const { open } = place(url)
    const writer = await open()
    await writer.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1' }], events: ['1'] })
    const readonly = `${url}?options=-c%20default_transaction_read_only%3Don`
    const store = await open({ connectionString: readonly })
    const refused = { code: 'store_readonly', details: { applied: 'no' } }
    await expect(store.commit({ partition: 'p', events: ['2'] })).rejects.toMatchObject(refused)
    await expect(store.erase('p')).rejects.toMatchObject(refused)
    expect(await store.list('p', 'k')).toHaveLength(1)
    expect(await store.snapshot('p', ['k'])).toMatchObject({ head: { seq: 1 } })
  })

  test.each(['repeatable read', 'serializable'])(
    'has one winner also if the default isolation of the database is %s',
    async (level) => {
      const { open } = place(url)
      const strict = `${url}?options=${encodeURIComponent(`-c default_transaction_isolation=${level.replace(' ', '\\ ')}`)}`
      const [a, b] = [await open({ connectionString: strict }), await open({ connectionString: strict })]
      for (let round = 0; round < 10; round++) {
        const results = await Promise.all(
          [a, b].flatMap((store, side) =>
            Array.from({ length: 10 }, (_, n) =>
              store.commit({
                partition: `p${round}`,
                puts: [{ kind: 'k', id: 'a', data: `"${side}${n}"`, expect: 0 }],
              }),
            ),
          ),
        )
        expect(results.filter(({ ok }) => ok)).toHaveLength(1)
      }
      // Each commit writes what the other one checks: the second one must see it, although it waited with an old
      // snapshot.
      for (let round = 0; round < 40; round++) {
        const [x, y] = [`x${round}`, `y${round}`]
        const put = (id: string) => ({ kind: 'k', id, data: '1' })
        await a.commit({ partition: 'skew', puts: [put(x), put(y)] })
        const results = await Promise.all([
          a.commit({ partition: 'skew', checks: [{ kind: 'k', id: x, version: 1 }], puts: [put(y)] }),
          b.commit({ partition: 'skew', checks: [{ kind: 'k', id: y, version: 1 }], puts: [put(x)] }),
        ])
        expect(results.filter(({ ok }) => ok)).toHaveLength(1)
      }
    },
  )
})
