import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describeWith, has } from '@holdpoint/conformance/services'
import { redisStore } from '@holdpoint/server/redis'
import { afterEach, expect, test } from 'vitest'
import type { Store } from '../../src/store/port.ts'
import { ask, type RedisServer, redisServer, until } from './redis-server.ts'

describeWith('Redis with faults', has('redis-server'), () => {
  const cleanUp: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const clean of cleanUp.splice(0).reverse()) await clean()
  })
  const server = async (...flags: string[]): Promise<RedisServer> => {
    const started = await redisServer(flags)
    cleanUp.push(() => started.dispose())
    return started
  }
  const store = async (url: string): Promise<Store> => {
    const opened = redisStore({ url })
    cleanUp.push(() => opened.close())
    await opened.open()
    return opened
  }
  const put = (id: string) => ({ kind: 'k', id, data: '1', expect: 0 })

  // The table of the README. A power cut cannot be had here: it is what the three settings differ in.
  test.each(['always', 'everysec', 'no'])(
    'loses nothing acknowledged after kill -9 with appendfsync %s, and readers get a new epoch',
    async (fsync) => {
      const redis = await server('--appendonly', 'yes', '--appendfsync', fsync)
      const one = await store(redis.url)
      const before = await one.commit({ partition: 'p', puts: [put('first')], events: ['0'] })
      const acknowledged: string[] = []
      let stopped = false
      const writer = (async () => {
        for (let n = 1; !stopped; n++) {
          const result = await one.commit({ partition: 'p', puts: [put(`${n}`)], events: [`${n}`] }).catch(() => null)
          if (result?.ok) acknowledged.push(`${n}`)
        }
      })()
      await until(async () => acknowledged.length > 200)
      await redis.kill()
      stopped = true
      await writer
      await redis.start()
      await until(async () => (await one.readLog('p', { from: 1, limit: 1 })).head > 0)
      const page = await one.readLog('p', { from: 1, limit: 100_000 })
      const kept = new Set(page.events.map(({ json }) => json))
      expect(acknowledged.filter((json) => !kept.has(json))).toEqual([])
      expect(page.events.map(({ seq }) => seq)).toEqual(page.events.map((_, index) => index + 1))
      expect(page.epoch).not.toBe(before.ok && before.epoch)
    },
    60_000,
  )

  test('reports a server that lost everything by its epoch, and nothing hangs', async () => {
    const redis = await server()
    const one = await store(redis.url)
    const first = await one.commit({ partition: 'p', events: ['1'] })
    await redis.kill()
    await redis.start()
    await until(async () => (await one.readLog('p', { from: 1, limit: 1 })).epoch === '0')
    const again = await one.commit({ partition: 'p', events: ['1'] })
    expect(again).toMatchObject({ ok: true, firstSeq: 1 })
    expect(again.ok && again.epoch).not.toBe(first.ok && first.epoch)
  }, 60_000)

  test('has another epoch on a replica that took over, and rejects a write to a replica with a code [R5.6]', async () => {
    const primary = await server()
    const replica = await server('--replicaof', '127.0.0.1', String(primary.port))
    const one = await store(primary.url)
    const first = await one.commit({ partition: 'p', puts: [put('a')], events: ['1', '2'] })
    await until(async () => (await ask(replica.url, 'info', 'replication')).includes('master_link_status:up'))
    await until(async () => (await (await store(replica.url)).readLog('p', { from: 1, limit: 9 })).head === 2)
    const two = await store(replica.url)
    for (const puts of [[], [{ ...put('b'), tags: ['t'] }]]) {
      await expect(two.commit({ partition: 'p', puts, events: ['3'] })).rejects.toMatchObject({
        code: 'store_readonly',
        details: { applied: 'no' },
      })
    }
    await primary.kill()
    await ask(replica.url, 'replicaof', 'no', 'one')
    const after = await two.commit({ partition: 'p', events: ['3'] })
    expect(after).toMatchObject({ ok: true, firstSeq: 3 })
    expect(after.ok && after.epoch).not.toBe(first.ok && first.epoch)
  }, 60_000)

  test('rejects with store_full and writes nothing if the memory is full, and reads continue', async () => {
    const redis = await server('--maxmemory', '4mb', '--maxmemory-policy', 'noeviction')
    const one = await store(redis.url)
    const big = JSON.stringify('x'.repeat(200_000))
    let last = 0
    const fill = async () => {
      for (let n = 1; n < 100; n++) {
        await one.commit({ partition: 'p', puts: [{ ...put(`${n}`), data: big, tags: ['t'] }], events: ['1'] })
        last = n
      }
    }
    await expect(fill()).rejects.toMatchObject({ code: 'store_full', details: { applied: 'no' } })
    expect((await one.readLog('p', { from: 1, limit: 200 })).head).toBe(last)
    expect((await one.byTag('t', { limit: 200 })).rows).toHaveLength(last)
  }, 60_000)

  test('rejects with store_unavailable while the server is down, and reconnects by itself', async () => {
    const redis = await server()
    const one = await store(redis.url)
    const heard: string[] = []
    one.subscribe((partitions) => heard.push(...partitions))
    await redis.kill()
    await expect(one.commit({ partition: 'p', events: ['1'] })).rejects.toMatchObject({ code: 'store_unavailable' })
    await redis.start()
    await until(async () => (await one.commit({ partition: 'back', events: ['1'] })).ok)
    const two = await store(redis.url)
    await until(async () => {
      await two.commit({ partition: 'elsewhere', events: ['1'] })
      return heard.includes('elsewhere')
    })
  }, 60_000)

  test('continues after SCRIPT FLUSH', async () => {
    const redis = await server()
    const one = await store(redis.url)
    for (let n = 1; n <= 20; n++) {
      if (n % 5 < 2) await ask(redis.url, 'script', 'flush')
      // Every second one goes with entries in the lists: that is another way.
      const puts = n % 2 ? [] : [{ ...put(`${n}`), tags: ['t'], due: 1 }]
      expect(await one.commit({ partition: 'p', puts, events: [`${n}`] })).toMatchObject({ ok: true, lastSeq: n })
    }
  })

  test('does not repeat a commit whose response was lost, and reports that it may be applied', async () => {
    const redis = await server()
    const proxy = await deafProxy(redis.port)
    cleanUp.push(() => proxy.close())
    const one = await store(`redis://127.0.0.1:${proxy.port}`)
    await one.commit({ partition: 'p', events: ['0'] })
    const results: PromiseSettledResult<unknown>[] = []
    for (let round = 0; round < 10; round++) {
      await until(async () => (await one.load([])).now > 0)
      proxy.swallowAnswers()
      const commits = Array.from({ length: 5 }, (_, n) => one.commit({ partition: 'p', events: [`${round}-${n}`] }))
      await new Promise((resolve) => setTimeout(resolve, 30))
      proxy.cut()
      results.push(...(await Promise.allSettled(commits)))
    }
    const unknown = { status: 'rejected', reason: { code: 'store_unavailable', details: { applied: 'unknown' } } }
    expect(results).toMatchObject(Array.from({ length: 50 }, () => unknown))
    await until(async () => (await one.commit({ partition: 'p', events: ['end'] })).ok)
    const { events } = await one.readLog('p', { from: 1, limit: 1_000 })
    const jsons = events.map(({ json }) => json)
    // They stood, all of them, once.
    expect(jsons).toHaveLength(52)
    expect(new Set(jsons).size).toBe(52)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  }, 60_000)
})

/** Hands everything on, but may keep the answers back and cut all connections. */
async function deafProxy(target: number) {
  const sockets = new Set<Socket>()
  let deaf = false
  const proxy = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    near.pipe(far)
    far.on('data', (chunk) => void (deaf || near.write(chunk)))
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    deaf = false
  }
  return {
    port: (proxy.address() as AddressInfo).port,
    swallowAnswers() {
      deaf = true
    },
    cut,
    async close() {
      cut()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
