import type { Store } from '@holdpoint/server/store'
import { expect, type TestContext, test, vi } from 'vitest'
import { type Harness, row } from './harness.ts'
import { raceOn } from './races.ts'

function listen(store: Store): Set<string> {
  const heard = new Set<string>()
  store.subscribe((partitions) => {
    for (const partition of partitions) heard.add(partition)
  })
  return heard
}

export function sharedTests(harness: Harness): void {
  const two = async (context: TestContext): Promise<[Store, Store]> => {
    const first = await harness.fresh()
    const second = await harness.another()
    if (!second) context.skip(`only one process can use the ${first.name} store`)
    return [first, second]
  }

  test('two instances see each other’s commits at once', async (context) => {
    const [a, b] = await two(context)
    for (let n = 1; n <= 20; n++) {
      const [writer, reader] = n % 2 ? [a, b] : [b, a]
      await writer.commit({
        partition: 'p',
        puts: [{ kind: 'k', id: 'a', data: String(n), expect: n - 1 }],
        events: ['1'],
      })
      expect((await reader.load([row('p', 'k', 'a')])).rows[0]).toMatchObject({ version: n, data: String(n) })
      expect(await reader.readLog('p', { from: n, limit: 9 })).toMatchObject({ head: n, events: [{ seq: n }] })
    }
    const [one, other] = await Promise.all([a, b].map((store) => store.readLog('p', { from: 1, limit: 1 })))
    expect(one).toEqual(other)
  })

  test('a commit on one instance notifies the other', async (context) => {
    const [a, b] = await two(context)
    const heard = listen(b)
    // A subscription takes a moment to become active. Commits after that must notify it.
    await vi.waitFor(
      async () => {
        await a.commit({ partition: 'p{1}:/ä', events: ['1'] })
        await new Promise((resolve) => setTimeout(resolve, 50))
        expect(heard).toContain('p{1}:/ä')
      },
      { timeout: 5_000, interval: 10 },
    )
    for (let n = 0; n < 10; n++) await a.commit({ partition: `q${n}`, puts: [{ kind: 'k', id: 'a', data: '1' }] })
    await vi.waitFor(() => expect([...heard]).toEqual(expect.arrayContaining(['q0', 'q4', 'q9'])), { timeout: 5_000 })
  })

  test('both instances receive every notification while both commit', async (context) => {
    const [a, b] = await two(context)
    const heard = listen(a)
    await vi.waitFor(
      async () => {
        await b.commit({ partition: 'ready', events: ['1'] })
        await new Promise((resolve) => setTimeout(resolve, 50))
        expect(heard).toContain('ready')
      },
      { timeout: 5_000, interval: 10 },
    )
    const names = Array.from({ length: 40 }, (_, n) => `theirs${n}`)
    for (const partition of names) {
      const theirs = b.commit({ partition, events: ['1'] })
      await Promise.all([theirs, theirs.then(() => a.commit({ partition: 'mine', events: ['1'] }))])
    }
    await vi.waitFor(() => expect(names.filter((name) => !heard.has(name))).toEqual([]), { timeout: 8_000 })
  }, 30_000)

  test('two instances notify each other about 3,000 partitions at once', async (context) => {
    const [a, b] = await two(context)
    const heard = listen(b)
    await vi.waitFor(
      async () => {
        await a.commit({ partition: 'ready', events: ['1'] })
        await new Promise((resolve) => setTimeout(resolve, 50))
        expect(heard).toContain('ready')
      },
      { timeout: 5_000, interval: 10 },
    )
    const names = Array.from({ length: 3_000 }, (_, n) => `session/${'x'.repeat(40)}/${n}`)
    await Promise.all(names.map((partition) => a.commit({ partition, events: ['1'] })))
    await vi.waitFor(() => expect(names.filter((name) => !heard.has(name))).toEqual([]), { timeout: 8_000 })
  }, 20_000)

  test('in a race for one row one writer wins over both instances', async (context) => {
    const race = raceOn(await two(context))
    for (const seed of [1, 2, 3]) await race.oneRow(seed)
  })

  test('a race on a counter over both instances loses no increment', async (context) => {
    const race = raceOn(await two(context), 24)
    for (const seed of [1, 2]) await race.counter(seed)
  })

  test.for([1, 7, 50])(
    'appends to %i partitions over both instances leave no gap and no duplicate',
    async (count, context) => {
      const race = raceOn(await two(context))
      for (const seed of [1, 2, 3]) await race.appends(seed, count)
    },
  )

  test('erase and commit at the same time leave consistent data', async (context) => {
    const [a, b] = await two(context)
    for (let round = 0; round < 10; round++) {
      const partition = `p${round}`
      const commit = (store: Store, n: number) =>
        store.commit({
          partition,
          puts: [{ kind: 'k', id: String(n), data: '1', tags: [partition] }],
          events: [`${n}`],
        })
      await commit(a, 0)
      await Promise.all([commit(a, 1), b.erase(partition), commit(b, 2), commit(a, 3)])
      const page = await a.readLog(partition, { from: 1, limit: 99 })
      const rows = await a.list(partition, 'k')
      expect(page.events.map(({ json }) => json).sort()).toEqual(rows.map(({ id }) => id))
      expect(page.events.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1))
      expect((await b.byTag(partition)).rows).toHaveLength(rows.length)
      expect(page.head).toBe(rows.length)
    }
  })
}
