import { describeWith, has } from '@holdpoint/conformance/services'
import { storeSuite } from '@holdpoint/conformance/store'
import { redisStore } from '@holdpoint/server/redis'
import { Cluster } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { redisCluster } from './redis-server.ts'

describeWith('a Redis cluster of three nodes', has('redis-server'), () => {
  let cluster: Awaited<ReturnType<typeof redisCluster>>
  beforeAll(async () => {
    cluster = await redisCluster(3)
  }, 60_000)
  afterAll(async () => cluster.dispose())

  test('distributes partitions over all nodes, and keeps the keys of a partition on one node', async () => {
    const store = redisStore({ nodes: cluster.urls, prefix: 'spread' })
    await store.open()
    const partitions = Array.from({ length: 30 }, (_, n) => `session-${n}`)
    for (const partition of partitions) {
      const put = { kind: 'k', id: 'a', data: '1', tags: ['all'], due: 1 }
      await store.commit({ partition, puts: [put, { kind: 'l', id: 'b', data: '2' }], events: ['1'] })
    }
    expect((await store.byTag('all', { limit: 100 })).rows).toHaveLength(30)
    expect((await store.due('k', { limit: 100 })).rows).toHaveLength(30)
    await store.close()
    const client = new Cluster(cluster.urls.map((url) => ({ host: '127.0.0.1', port: Number(new URL(url).port) })))
    await client.ping()
    const sizes = await Promise.all(client.nodes('master').map((node) => node.dbsize()))
    client.disconnect()
    expect(sizes.filter((size) => size > 0)).toHaveLength(3)
  })

  storeSuite(
    'redis cluster',
    async ({ offset }) => {
      const prefix = `test-${crypto.randomUUID()}`
      const make = () => redisStore({ nodes: cluster.urls, prefix, clockOffset: offset })
      return { store: make(), another: async () => make() }
    },
    { modelRuns: 10 },
  )
})
