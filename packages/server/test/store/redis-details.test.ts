import { once } from 'node:events'
import { describeWith, redisUrl } from '@holdpoint/conformance/services'
import { redisStore } from '@holdpoint/server/redis'
import { type Cluster, Redis } from 'ioredis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectRedis } from '../../src/store/redis/connection.ts'
import { ENTRY_GRACE_MS, entryMember, madeAt, newNonce, readMember } from '../../src/store/redis/entries.ts'
import { redisKeys } from '../../src/store/redis/keys.ts'

describeWith('the lists and connections of the Redis store', await redisUrl(), (url) => {
  const client = async () => {
    const made = new Redis(url)
    onTestFinished(() => made.disconnect())
    await once(made, 'ready')
    return made
  }
  const place = async (options: Parameters<typeof redisStore>[0] = { url }) => {
    const prefix = `holdpoint-test-${crypto.randomUUID()}`
    const store = redisStore({ ...options, prefix })
    await store.open()
    onTestFinished(async () => {
      await store.erase('p')
      await store.close()
    })
    return { store, prefix, names: redisKeys(prefix) }
  }

  test('keep a recent entry whose row is not written yet, and drop an old entry without a row', async () => {
    const { store, names } = await place()
    const raw = await client()
    const entry = (nonce: string) => entryMember({ partition: 'p', kind: 'k', id: 'a', nonce })
    const fresh = entry(newNonce(Date.now()))
    const old = entry(newNonce(Date.now() - ENTRY_GRACE_MS - 60_000))
    for (const member of [fresh, old]) {
      await raw.zadd(names.tag('t'), 0, member)
      await raw.zadd(names.due('k'), 1, member)
    }
    expect(await store.byTag('t')).toEqual({ rows: [] })
    expect((await store.due('k')).rows).toEqual([])
    expect(await raw.zrange(names.tag('t'), '0', '-1')).toEqual([fresh])
    expect(await raw.zrange(names.due('k'), '0', '-1')).toEqual([fresh])
    await raw.del(names.tag('t'), names.due('k'))
  })

  test.each([-900_000, 900_000])(
    'use the clock of Redis for the age of an entry, where the process is %s ms off [R9g.1]',
    async (off) => {
      const real = Date.now
      vi.spyOn(Date, 'now').mockImplementation(() => real() + off)
      onTestFinished(() => void vi.restoreAllMocks())
      const { store, names } = await place()
      const raw = await client()
      await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1', due: 1, tags: ['t'] }] })
      const [written = ''] = await raw.zrange(names.tag('t'), '0', '-1')
      expect(Math.abs(madeAt(readMember(written).nonce) - real())).toBeLessThan(60_000)
      // Of a writer whose row is on its way.
      const coming = entryMember({ partition: 'p', kind: 'k', id: 'b', nonce: newNonce(real()) })
      await raw.zadd(names.due('k'), 1, coming)
      expect((await store.due('k')).rows).toHaveLength(1)
      expect(await raw.zrange(names.due('k'), '0', '-1')).toContain(coming)
      await raw.del(names.due('k'), names.tag('t'))
    },
  )

  test('drop the entries that a row no longer has', async () => {
    const { store, names } = await place()
    const raw = await client()
    const listed = async () => [await raw.zcard(names.tag('a')), await raw.zcard(names.due('k'))]
    const put = (more: object) => store.commit({ partition: 'p', puts: [{ kind: 'k', id: '1', data: '1', ...more }] })
    await put({ tags: ['a'], due: 5 })
    expect(await listed()).toEqual([1, 1])
    await put({})
    await vi.waitFor(async () => expect(await listed()).toEqual([0, 0]), { timeout: 10_000 })
    await put({ tags: ['a'], due: 5 })
    await store.commit({ partition: 'p', deletes: [{ kind: 'k', id: '1' }] })
    await vi.waitFor(async () => expect(await listed()).toEqual([0, 0]), { timeout: 10_000 })
    await put({ tags: ['a'], due: 5 })
    await store.erase('p')
    expect(await listed()).toEqual([0, 0])
  })

  test('close the listening connection with the last subscriber', async () => {
    const made: Redis[] = []
    const connect = () => {
      const next = new Redis(url)
      made.push(next)
      return next
    }
    const { store } = await place({ connect })
    const [away, last] = [store.subscribe(() => {}), store.subscribe(() => {})]
    await vi.waitFor(() => expect(made[1]?.status).toBe('ready'), { timeout: 10_000 })
    away()
    await store.commit({ partition: 'p', events: ['1'] })
    expect(made[1]?.status).toBe('ready')
    last()
    await vi.waitFor(() => expect(made[1]?.status).toBe('end'), { timeout: 10_000 })
    expect(made[0]?.status).toBe('ready')
  })

  test('notify also through clients of the host that are already connected', async () => {
    const made = [await client(), await client()]
    const { store, prefix } = await place({ connect: () => made.shift()! })
    const heard: string[] = []
    store.subscribe((partitions) => heard.push(...partitions))
    const other = redisStore({ url, prefix })
    await other.open()
    await vi.waitFor(
      async () => {
        await other.commit({ partition: 'p', events: ['1'] })
        expect(heard).toContain('p')
      },
      { timeout: 10_000 },
    )
    await other.close()
  })
})

test('the credentials of a cluster’s first URL are decoded, and meant for every node', async () => {
  const cluster = (await connectRedis(['redis://ada:p%40ss@127.0.0.1:1', 'redis://127.0.0.1:2'])) as Cluster
  cluster.on('error', () => {})
  expect(cluster.options.redisOptions).toMatchObject({ username: 'ada', password: 'p@ss' })
  cluster.disconnect()
  const open = (await connectRedis(['redis://127.0.0.1:1'])) as Cluster
  open.on('error', () => {})
  expect(open.options.redisOptions).not.toHaveProperty('username')
  expect(open.options.redisOptions).not.toHaveProperty('password')
  open.disconnect()
})
