import { describeWith, redisUrl } from '@holdpoint/conformance/services'
import { storeSuite } from '@holdpoint/conformance/store'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { disconnect } from './connection.ts'
import { redisStore } from './index.ts'

describeWith('on a real Redis', await redisUrl(), (url) => {
  storeSuite('redis', async ({ offset }) => {
    const prefix = `holdpoint-test-${crypto.randomUUID()}`
    const make = () => redisStore({ url, prefix, clockOffset: offset })
    return { store: make(), another: async () => make(), dispose: () => drop(url, prefix) }
  })

  /** The bytes of each write to the socket while `work` runs. */
  async function writesDuring(client: Redis, work: () => Promise<unknown>): Promise<number[]> {
    const write = vi.spyOn(client.stream, 'write')
    await work()
    const sizes = write.mock.calls.map(([data]) => Buffer.byteLength(data as string))
    write.mockRestore()
    return sizes
  }

  test('commits of one turn are one write to the socket, with their index entries, and so are loads', async () => {
    const prefix = `holdpoint-test-${crypto.randomUUID()}`
    const client = new Redis(url)
    const store = redisStore({ connect: () => client, prefix })
    onTestFinished(async () => {
      await store.close()
      await drop(url, prefix)
    })
    const put = (n: number) => ({ kind: 'k', id: 'a', data: `"${n}"`, due: n, tags: ['one', `tag ${n}`] })
    const commit = (n: number) => store.commit({ partition: `p${n}`, puts: [put(n)], events: ['{}'] })
    const load = (n: number) => store.load([0, 1, 2].map((id) => ({ partition: `p${n}`, kind: 'k', id: `${id}` })))
    const all = (work: (n: number) => Promise<unknown>) => () =>
      Promise.all(Array.from({ length: 20 }, (_, n) => work(n)))
    // The server learns the scripts.
    await commit(20)
    await load(20)
    expect(await writesDuring(client, all(commit))).toHaveLength(1)
    expect(await writesDuring(client, all(load))).toHaveLength(1)
    expect((await store.byTag('one', { limit: 50 })).rows).toHaveLength(21)
    expect((await store.due('k', { limit: 50 })).rows).toHaveLength(21)
  })

  test('a commit that lost a race adds nothing to an index, and does not fail the others of its turn', async () => {
    const prefix = `holdpoint-test-${crypto.randomUUID()}`
    const client = new Redis(url)
    const store = redisStore({ connect: () => client, prefix })
    onTestFinished(async () => {
      await store.close()
      await drop(url, prefix)
    })
    const put = (data: string, expect: number) => ({ kind: 'k', id: 'a', data, expect, due: 1, tags: ['one'] })
    await store.commit({ partition: 'p', puts: [put('"first"', 0)] })
    const turn = await Promise.all([
      store.commit({ partition: 'p', puts: [put('"late"', 0)] }),
      store.commit({ partition: 'q', puts: [put('"other"', 0)] }),
    ])
    expect(turn).toMatchObject([{ ok: false, conflict: { kind: 'k', id: 'a' } }, { ok: true }])
    const entries = await client.keys(`${prefix}:tag:*`)
    expect(await Promise.all(entries.map((key) => client.zcard(key)))).toEqual([2])
    expect((await store.byTag('one')).rows.map(({ partition, data }) => [partition, data])).toEqual([
      ['p', '"first"'],
      ['q', '"other"'],
    ])
  })
})

async function drop(url: string, prefix: string): Promise<void> {
  const client = new Redis(url)
  for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    if (keys.length > 0) await client.unlink(...(keys as string[]))
  }
  await disconnect(client)
}
