import { setTimeout as sleep } from 'node:timers/promises'
import { describeWith, postgresPrograms, postgresUrl } from '@holdpoint/conformance/services'
import { checkLog } from '@holdpoint/conformance/store'
import { expect, test, vi } from 'vitest'
import { killedAppenders, whileLooking } from './killing.ts'
import { ownPostgres } from './own-postgres.ts'
import { place } from './postgres-place.ts'
import { checkStorm, storm } from './storm.ts'

describeWith('a PostgreSQL that is restarted', postgresPrograms(), (bin) => {
  test('loses nothing acknowledged if it crashes or stops under load, and every caller continues', async () => {
    const server = await ownPostgres(bin)
    const { open } = place(server.url)
    const store = await open({ max: 4, pollMs: 50 })
    const heard = new Set<string>()
    store.subscribe(() => {})
    const { tally, end } = storm(store)
    for (const mode of ['immediate', 'fast', 'immediate'] as const) {
      await sleep(150)
      server.stop(mode)
      server.start()
      const before = tally.kept.length
      await vi.waitFor(() => expect(tally.kept.length).toBeGreaterThan(before + 50), { timeout: 30_000 })
    }
    await end()
    expect(tally.refused.length).toBeGreaterThan(0)
    await checkStorm(store, tally)
    // It receives notifications again, although its listening connection was lost three times.
    const reader = await open({ max: 2, pollMs: 50 })
    store.subscribe((partitions) => {
      for (const name of partitions) heard.add(name)
    })
    await vi.waitFor(
      async () => {
        await reader.commit({ partition: 'after', events: ['1'] })
        await sleep(60)
        expect(heard).toContain('after')
      },
      { timeout: 30_000 },
    )
  }, 150_000)
})

describeWith('processes killed on PostgreSQL', await postgresUrl(), (url) => {
  test('kill -9 at 16 random moments loses nothing that was acknowledged, and leaves no gap', async () => {
    const { open, schema } = place(url)
    const store = await open()
    const where = JSON.stringify({ connectionString: url, schema, max: 3 })
    const kept = await whileLooking(store, killedAppenders({ kind: 'postgres', where, kills: 16, seed: 9 }))
    expect(kept.length).toBeGreaterThan(300)
    for (const partition of ['p0', 'p1', 'p2']) expect(await checkLog(store, partition, kept)).toEqual([])
  }, 150_000)
})
