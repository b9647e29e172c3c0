import type { Commit, Store } from '@holdpoint/server/store'
import { expect, test } from 'vitest'
import { seeded } from '../seeded.ts'
import { type Harness, jitter, row } from './harness.ts'
import { type Acknowledged, acknowledged, checkLog } from './history.ts'

const SEEDS = [1, 2, 3, 4, 5]
const RACERS = 50

/** Runs on one store, or alternately on two instances of one location. */
export function raceOn(stores: readonly Store[], racers = RACERS) {
  const storeOf = (n: number) => stores[n % stores.length] as Store
  return {
    /** Each writer creates the same row if it is absent. */
    async oneRow(seed: number) {
      const random = seeded(seed)
      const partition = `row${seed}`
      const results = await Promise.all(
        Array.from({ length: racers }, async (_, n) => {
          await jitter(random)
          const puts = [{ kind: 'k', id: 'a', data: String(n), expect: 0 }]
          return { n, result: await storeOf(n).commit({ partition, puts, events: [`"${n}"`] }) }
        }),
      )
      const winners = results.filter(({ result }) => result.ok)
      expect(winners).toHaveLength(1)
      for (const { result } of results) {
        if (!result.ok) expect(result.conflict).toEqual({ kind: 'k', id: 'a' })
      }
      for (const store of stores) {
        const { rows } = await store.load([row(partition, 'k', 'a')])
        expect(rows[0]).toMatchObject({ version: 1, data: String(winners[0]?.n) })
        const { events } = await store.readLog(partition, { from: 1, limit: 99 })
        expect(events).toEqual([{ seq: 1, json: `"${winners[0]?.n}"` }])
      }
    },

    /** Each writer increments a counter and retries on conflict. */
    async counter(seed: number) {
      const random = seeded(seed)
      const partition = `counter${seed}`
      const adders = Math.ceil(racers / 2)
      let commits = 0
      await Promise.all(
        Array.from({ length: adders }, async (_, n) => {
          for (;;) {
            await jitter(random)
            const before = (await storeOf(n).load([row(partition, 'k', 'a')])).rows[0]
            const data = String(Number(before?.data ?? 0) + 1)
            const puts = [{ kind: 'k', id: 'a', data, expect: before?.version ?? 0 }]
            commits++
            if ((await storeOf(n).commit({ partition, puts, events: [data] })).ok) return
          }
        }),
      )
      const { rows } = await storeOf(0).load([row(partition, 'k', 'a')])
      expect(rows[0]).toMatchObject({ version: adders, data: String(adders) })
      const { events } = await storeOf(1).readLog(partition, { from: 1, limit: 999 })
      expect(events.map(({ json }) => Number(json))).toEqual(Array.from({ length: adders }, (_, n) => n + 1))
      return commits
    },

    /** Each writer appends; some append several events, some with a check that fails. */
    async appends(seed: number, partitions: number) {
      const random = seeded(seed)
      const kept: Acknowledged[] = []
      await Promise.all(
        Array.from({ length: racers }, async (_, n) => {
          await jitter(random)
          const item: Commit = {
            partition: `log${seed}-${n % partitions}`,
            events: Array.from({ length: 1 + Math.floor(random() * 3) }, (_, part) => JSON.stringify([n, part])),
            ...(n % 7 === 6 && { checks: [{ kind: 'k', id: 'absent', version: 3 }] }),
          }
          const result = await storeOf(n).commit(item)
          expect(result.ok).toBe(n % 7 !== 6)
          kept.push(...acknowledged(item, result))
        }),
      )
      for (let n = 0; n < partitions; n++) {
        for (const store of stores) expect(await checkLog(store, `log${seed}-${n}`, kept)).toEqual([])
        const heads = kept.filter(({ partition }) => partition === `log${seed}-${n}`).length
        expect((await storeOf(n).readLog(`log${seed}-${n}`, { from: 1, limit: 1 })).head).toBe(heads)
      }
    },
  }
}

export function raceTests(harness: Harness): void {
  test('of 50 commits that expect one row to be absent, exactly one wins each time [R4.3]', async () => {
    const race = raceOn([await harness.fresh()])
    for (const seed of SEEDS) await race.oneRow(seed)
  })

  test('of 50 commits without jitter, exactly one wins', async () => {
    const store = await harness.fresh()
    const puts = (n: number) => [{ kind: 'k', id: 'a', data: String(n), expect: 0 }]
    const results = await Promise.all(
      Array.from({ length: RACERS }, (_, n) => store.commit({ partition: 'p', puts: puts(n) })),
    )
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('a counter that all writers increment loses no increment', async () => {
    const race = raceOn([await harness.fresh()])
    let commits = 0
    for (const seed of SEEDS) commits += await race.counter(seed)
    // Without contention this test would prove nothing.
    expect(commits).toBeGreaterThan(SEEDS.length * 25)
  })

  test.each([1, 7, 50])(
    '50 appends to %i partitions leave no gap and no duplicate, each at its reported position',
    async (count) => {
      const race = raceOn([await harness.fresh()])
      for (const seed of SEEDS) await race.appends(seed, count)
    },
  )

  test('commits that touch the same rows in different orders all finish', async () => {
    const store = await harness.fresh()
    const random = seeded(11)
    await Promise.all(
      Array.from({ length: RACERS }, async (_, n) => {
        await jitter(random)
        const ids = ['a', 'b', 'c', 'd'].sort(() => random() - 0.5)
        const puts = ids.map((id) => ({ kind: 'k', id, data: String(n), tags: [`t${n % 3}`] }))
        await store.commit({ partition: `p${n % 4}`, puts, events: [String(n)] })
      }),
    )
    for (let n = 0; n < 4; n++) {
      const rows = await store.list(`p${n}`, 'k')
      expect(new Set(rows.map(({ data }) => data)).size).toBe(1)
      expect(rows.map(({ version }) => version)).toEqual(Array(4).fill(n < 2 ? 13 : 12))
    }
  })
}
