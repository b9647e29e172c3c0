import { describeWith, postgresUrl } from '@holdpoint/conformance/services'
import type { Store } from '@holdpoint/server/store'

import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { place } from './postgres-place.ts'
import { proxyTo } from './proxy.ts'

function listen(store: Store): Set<string> {
  const heard = new Set<string>()
  store.subscribe((partitions) => {
    for (const partition of partitions) heard.add(partition)
  })
  return heard
}

/** Commits until a notification arrives: from then on the subscription works. */
async function untilHeard(writer: Store, heard: Set<string>, name: string) {
  await vi.waitFor(
    async () => {
      await writer.commit({ partition: name, events: ['1'] })
      await new Promise((resolve) => setTimeout(resolve, 40))
      expect(heard).toContain(name)
    },
    { timeout: 20_000, interval: 5 },
  )
}

/** A pool of the host, which can be looked into. */
function hostsPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 4, idleTimeoutMillis: 0 })
  pool.on('error', () => {})
  onTestFinished(() => pool.end())
  return pool
}

/** Longer than any test, so that polling cannot be the cause of a notification. */
const NEVER = 1_000_000

describeWith('PostgreSQL notifications', await postgresUrl(), (url) => {
  test.each(['its own', 'the host’s'])(
    'arrive by polling with a pool of one connection, %s, which stays free for commits [R9d.1]',
    async (whose) => {
      const here = place(url)
      const pool = whose === 'its own' ? undefined : new pg.Pool({ connectionString: url, max: 1 })
      if (pool) onTestFinished(() => pool.end())
      const reader = await here.open({ ...(pool ? { pool } : { max: 1 }), pollMs: 20, acquireTimeoutMs: 1_000 })
      const writer = await here.open()
      const heard = listen(reader)
      await untilHeard(writer, heard, 'p')
      expect(await reader.commit({ partition: 'q', events: ['1'] })).toMatchObject({ ok: true })
    },
  )

  test('arrive by LISTEN without polling', async () => {
    const { open } = place(url)
    const [writer, reader] = [await open(), await open({ pollMs: NEVER })]
    const heard = listen(reader)
    await untilHeard(writer, heard, 'ready')
    await writer.commit({ partition: 'p', events: ['1'] })
    await vi.waitFor(() => expect(heard).toContain('p'), { timeout: 20_000 })
  })

  test('arrive by polling alone, without any session state', async () => {
    const { open } = place(url)
    const proxy = await proxyTo(url)
    const [writer, reader] = [await open(), await open({ connectionString: proxy.url, listen: false, pollMs: 20 })]
    const heard = listen(reader)
    await untilHeard(writer, heard, 'ready')
    for (let n = 0; n < 20; n++) await writer.commit({ partition: `p${n}`, events: ['1'] })
    await vi.waitFor(() => expect([...heard]).toEqual(expect.arrayContaining(['p0', 'p10', 'p19'])), {
      timeout: 20_000,
    })
    expect(proxy.links.some(({ sent }) => /LISTEN|PREPARE/.test(sent))).toBe(false)
  })

  test('include the commit of a slow transaction after a quick one that began later', async () => {
    const { open, client, schema } = place(url)
    const [writer, reader] = [await open(), await open({ listen: false, pollMs: 20 })]
    const heard = listen(reader)
    await untilHeard(writer, heard, 'ready')
    const slow = await client()
    await slow.query('BEGIN')
    await slow.query(`SELECT * FROM ${schema}.commit_1('{slow}', '{e}', '{1}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
      '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{1}', '{1}', '{1}', 'x', 1000)`)
    for (let n = 0; n < 5; n++) await untilHeard(writer, heard, `quick${n}`)
    expect(heard).not.toContain('slow')
    await slow.query('COMMIT')
    await vi.waitFor(() => expect(heard).toContain('slow'), { timeout: 20_000 })
  })

  test('arrive by polling after a half-open listening connection is detected [R5.3]', async () => {
    const { open } = place(url)
    const proxy = await proxyTo(url)
    const writer = await open()
    const reader = await open({ connectionString: proxy.url, probeMs: 150, pollMs: 30 })
    const heard = listen(reader)
    await untilHeard(writer, heard, 'ready')
    const listening = () => proxy.links.filter(({ sent }) => sent.includes('LISTEN'))
    await vi.waitFor(() => expect(listening()).toHaveLength(1), { timeout: 20_000 })
    listening()[0]?.freeze()
    await writer.commit({ partition: 'while deaf', events: ['1'] })
    await vi.waitFor(() => expect(heard).toContain('while deaf'), { timeout: 20_000 })
    // And it listens again, on another connection.
    await vi.waitFor(() => expect(listening()).toHaveLength(2), { timeout: 20_000 })
    await untilHeard(writer, heard, 'again')
  })

  test('arrive after a listening connection was cut and replaced, also for missed commits', async () => {
    const { open } = place(url)
    const proxy = await proxyTo(url)
    const writer = await open()
    const reader = await open({ connectionString: proxy.url, pollMs: 30 })
    const heard = listen(reader)
    await untilHeard(writer, heard, 'ready')
    for (const link of proxy.links) link.cut()
    await writer.commit({ partition: 'missed', events: ['1'] })
    await vi.waitFor(() => expect(heard).toContain('missed'), { timeout: 20_000 })
  })

  test('of a store’s own commits arrive once', async () => {
    const { open } = place(url)
    const store = await open({ pollMs: 10 })
    const calls: string[] = []
    store.subscribe((partitions) => calls.push(...partitions))
    await store.commit({ partition: 'p', events: ['1'] })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(calls).toEqual(['p'])
  })

  test('need no connection and no query without a subscriber', async () => {
    const { open } = place(url)
    const proxy = await proxyTo(url)
    const store = await open({ connectionString: proxy.url, pollMs: 10 })
    const leave = store.subscribe(() => {})
    await vi.waitFor(() => expect(proxy.links.some(({ sent }) => sent.includes('LISTEN'))).toBe(true), {
      timeout: 20_000,
    })
    leave()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const before = proxy.links.map(({ sent }) => sent.length)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(proxy.links.map(({ sent }) => sent.length)).toEqual(before)
  })

  test('of consecutive waits for one question open no connection each, and leave none that listens', async () => {
    const { open, client, schema } = place(url)
    const pool = hostsPool(url)
    let opened = 0
    let heard = 0
    pool.on('connect', () => opened++)
    const store = await open({ pool })
    const other = await client()
    for (let n = 0; n < 12; n++) {
      const leave = store.subscribe(() => heard++)
      await vi.waitFor(
        async () => {
          const before = heard
          await other.query('SELECT pg_notify($1, $2)', [`${schema}_wake`, '["x","p"]'])
          await new Promise((resolve) => setTimeout(resolve, 20))
          expect(heard).toBeGreaterThan(before)
        },
        { timeout: 20_000, interval: 5 },
      )
      leave()
      await vi.waitFor(() => expect(pool.idleCount).toBe(pool.totalCount), { timeout: 20_000 })
    }
    // As many as were busy at the same time.
    expect(opened).toBeLessThanOrEqual(4)
    expect(pool.totalCount).toBe(opened)
    const all = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
    for (const one of all) {
      expect((await one.query('SELECT pg_listening_channels()')).rows).toEqual([])
      expect(one.listenerCount('notification')).toBe(0)
      one.release()
    }
  })

  test('leave no connection in the pool that cannot stop listening', async () => {
    const { open } = place(url)
    const proxy = await proxyTo(url)
    const pool = hostsPool(proxy.url)
    const store = await open({ pool, probeMs: 200 })
    const gone = vi.fn()
    pool.on('remove', gone)
    const leave = store.subscribe(() => {})
    const listening = () => proxy.links.find(({ sent }) => sent.includes('LISTEN "'))
    await vi.waitFor(() => expect(listening()).toBeDefined(), { timeout: 20_000 })
    listening()?.mute()
    leave()
    await vi.waitFor(() => expect(gone).toHaveBeenCalled(), { timeout: 20_000 })
    await vi.waitFor(() => expect(pool.idleCount).toBe(pool.totalCount), { timeout: 20_000 })
  })

  test('do not delay closing by a response of the listening connection', async () => {
    const { open } = place(url)
    const proxy = await proxyTo(url)
    const store = await open({ connectionString: proxy.url, probeMs: NEVER })
    store.subscribe(() => {})
    const listening = () => proxy.links.find(({ sent }) => sent.includes('LISTEN "'))
    await vi.waitFor(() => expect(listening()).toBeDefined(), { timeout: 20_000 })
    listening()?.mute()
    await store.close()
  })

  test('keep the list of changes bounded', async () => {
    const { open, client, schema } = place(url)
    const store = await open({ max: 1 })
    const other = await client()
    await store.commit({ partition: 'p', events: ['1'] })
    await other.query(`UPDATE ${schema}.changes SET at = at - interval '1 hour'`)
    await other.query(
      `INSERT INTO ${schema}.changes SELECT 1, now() - interval '1 hour', 'x', '{}' FROM generate_series(1, 400)`,
    )
    const left = async () => {
      const { rows } = await other.query(`SELECT count(*)::int AS count FROM ${schema}.changes WHERE author = 'x'`)
      return rows[0].count
    }
    // Now and then a commit sweeps.
    for (let n = 0; n < 3_000 && (n % 100 || (await left())); n++) await store.commit({ partition: 'p', events: ['1'] })
    expect(await left()).toBe(0)
  })
})
