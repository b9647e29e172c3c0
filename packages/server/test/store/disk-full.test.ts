import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeWith, has, postgresPrograms } from '@holdpoint/conformance/services'
import { redisStore } from '@holdpoint/server/redis'
import type { Store } from '@holdpoint/server/store'
import { expect, onTestFinished, test, vi } from 'vitest'
import { forServer, ownPostgres, serverFolder } from './own-postgres.ts'
import { smallDisk } from './places.ts'
import { place } from './postgres-place.ts'
import { redisServer, until } from './redis-server.ts'

const LIMIT = 120_000
const NO_MOUNT = 'needs the right to mount a small file system'
const BIG = JSON.stringify('x'.repeat(100_000))
const put = (id: string, data = '1') => ({ kind: 'k', id, data })

/** Commits big rows until one is refused; how many went in. */
async function fill(store: Store): Promise<{ kept: number; error: unknown }> {
  for (let kept = 0; kept < 5_000; kept++) {
    // Random text: a database that compresses would never be full.
    const data = JSON.stringify(Array.from({ length: 800 }, () => crypto.randomUUID()).join(''))
    try {
      await store.commit({ partition: 'p', puts: [put(`big${kept}`, data)], events: ['1'] })
    } catch (error) {
      return { kept, error }
    }
  }
  throw new Error('the disk is not small')
}

describeWith('PostgreSQL on a full disk', postgresPrograms(), (bin) => {
  test(
    'rejects a commit that does not fit, still reads, and continues when space is free',
    async (context) => {
      const disk = smallDisk('60m')
      if (!disk) return context.skip(NO_MOUNT)
      // Its write-ahead log lies elsewhere: see the next test.
      const server = await ownPostgres(bin, { folder: forServer(disk), walFolder: serverFolder() })
      const store = await place(server.url, { ownServer: true }).open({ max: 2 })
      writeFileSync(join(disk, 'filler'), Buffer.alloc(15_000_000))
      const { kept, error } = await fill(store)
      expect(error).toMatchObject({ code: 'store_full', details: { applied: 'no' } })
      expect((await store.readLog('p', { from: 1, limit: 1 })).head).toBe(kept)
      expect(await store.list('p', 'k')).toHaveLength(kept)
      rmSync(join(disk, 'filler'))
      expect(await store.commit({ partition: 'p', puts: [put('after', BIG)], events: ['1'] })).toMatchObject({
        lastSeq: kept + 1,
      })
    },
    LIMIT,
  )

  test(
    'stops if its write-ahead log cannot grow, and nothing acknowledged is lost',
    async (context) => {
      const disk = smallDisk('16m')
      if (!disk) return context.skip(NO_MOUNT)
      const server = await ownPostgres(bin, { walFolder: forServer(disk) })
      const store = await place(server.url, { ownServer: true }).open({ max: 2 })
      writeFileSync(join(disk, 'filler'), Buffer.alloc(10_000_000))
      const { kept, error } = await fill(store)
      expect(error).toMatchObject({ code: expect.stringMatching(/^store_(unavailable|full)$/) })
      try {
        server.stop('immediate')
      } catch {
        // It has gone down by itself.
      }
      rmSync(join(disk, 'filler'))
      server.start()
      // The rejected commit may have been applied: the result is unknown.
      const head = await vi.waitFor(async () => (await store.readLog('p', { from: 1, limit: 1 })).head, {
        timeout: 20_000,
      })
      expect([kept, kept + 1]).toContain(head)
      expect(await store.list('p', 'k')).toHaveLength(head)
      expect(await store.commit({ partition: 'p', events: ['1'] })).toMatchObject({ lastSeq: head + 1 })
    },
    LIMIT,
  )
})

describeWith('Redis on a full disk', has('redis-server'), () => {
  const redisOn = async (disk: string, fsync: string) => {
    const rewrite = ['--auto-aof-rewrite-percentage', '0']
    const server = await redisServer(['--dir', disk, '--appendonly', 'yes', '--appendfsync', fsync, ...rewrite])
    onTestFinished(() => server.dispose())
    const store = redisStore({ url: server.url })
    onTestFinished(() => store.close())
    await store.open()
    return { server, store }
  }

  test(
    'rejects a commit with its error, still reads, and continues when space is free',
    async (context) => {
      const disk = smallDisk('16m')
      if (!disk) return context.skip(NO_MOUNT)
      const { store } = await redisOn(disk, 'everysec')
      writeFileSync(join(disk, 'filler'), Buffer.alloc(8_000_000))
      const { kept, error } = await fill(store)
      expect(error).toMatchObject({ code: 'store_full', details: { applied: 'no' } })
      expect((await store.readLog('p', { from: 1, limit: 1 })).head).toBe(kept)
      rmSync(join(disk, 'filler'))
      await until(async () => (await store.commit({ partition: 'p', puts: [put('after', BIG)], events: ['1'] })).ok)
      expect((await store.readLog('p', { from: 1, limit: 1 })).head).toBe(kept + 1)
    },
    LIMIT,
  )

  test(
    'stops with appendfsync always, and nothing acknowledged is lost',
    async (context) => {
      const disk = smallDisk('16m')
      if (!disk) return context.skip(NO_MOUNT)
      const { server, store } = await redisOn(disk, 'always')
      writeFileSync(join(disk, 'filler'), Buffer.alloc(8_000_000))
      const { kept, error } = await fill(store)
      expect(error).toMatchObject({ code: 'store_unavailable', details: { applied: 'unknown' } })
      await server.kill()
      rmSync(join(disk, 'filler'))
      await server.start()
      await until(async () => (await store.readLog('p', { from: 1, limit: 1 })).head > 0)
      const { head } = await store.readLog('p', { from: 1, limit: 1 })
      expect([kept, kept + 1]).toContain(head)
      expect(await store.list('p', 'k')).toHaveLength(head)
    },
    LIMIT,
  )
})
