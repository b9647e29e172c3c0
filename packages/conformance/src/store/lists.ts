import { pages } from '@holdpoint/core/internal'
import { expect, test } from 'vitest'
import type { Harness } from './harness.ts'

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

export function listTests(harness: Harness): void {
  const filled = async (partition: string, names: readonly string[], extra: { tags?: string[]; due?: number } = {}) => {
    const store = await harness.fresh()
    for (const id of names) await store.commit({ partition, puts: [{ kind: 'k', id, data: '1', ...extra }] })
    return store
  }

  test('list returns one kind of one partition in pages, ordered by id', async () => {
    const store = await filled('p', ['c', 'a', 'e', 'b', 'd'])
    await store.commit({ partition: 'p', puts: [{ kind: 'other', id: 'a', data: '1' }] })
    await store.commit({ partition: 'q', puts: [{ kind: 'k', id: 'a', data: '1' }] })
    expect(ids(await store.list('p', 'k'))).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(ids(await store.list('p', 'k', { limit: 2 }))).toEqual(['a', 'b'])
    expect(ids(await store.list('p', 'k', { after: 'b', limit: 2 }))).toEqual(['c', 'd'])
    expect(ids(await store.list('p', 'k', { after: 'bb' }))).toEqual(['c', 'd', 'e'])
    expect(await store.list('p', 'k', { after: 'e' })).toEqual([])
    expect(await store.list('nowhere', 'k')).toEqual([])
  })

  test('list without a limit returns all rows, also more than one page', async () => {
    const names = Array.from({ length: 1_203 }, (_, index) => String(index).padStart(5, '0'))
    const store = await harness.fresh()
    await store.commit({ partition: 'p', puts: [...names].reverse().map((id) => ({ kind: 'k', id, data: '1' })) })
    expect(ids(await store.list('p', 'k'))).toEqual(names)
  })

  test('list orders by UTF-8 bytes, so that every store has the same pages', async () => {
    const order = ['A', 'Z', 'a', 'a/', 'a0', 'a:', 'aa', 'z', 'ß', 'ä', '\u{ffee}', '\u{1f600}', '\u{1f600}x']
    const store = await filled('p', [...order].reverse())
    expect(ids(await store.list('p', 'k'))).toEqual(order)
    expect(ids(await store.list('p', 'k', { after: '\u{ffee}' }))).toEqual(['\u{1f600}', '\u{1f600}x'])
  })

  test('byTag returns each row once across partitions and kinds, in pages', async () => {
    const store = await harness.fresh()
    const put = (partition: string, kind: string, id: string, tags: string[]) =>
      store.commit({ partition, puts: [{ kind, id, data: '1', tags }] })
    await put('p', 'k', 'a', ['u1', 'u2'])
    await put('q', 'k', 'b', ['u1'])
    await put('p', 'l', 'c', ['u1', 'u1'])
    await put('p', 'k', 'd', ['u2'])
    await put('p', 'k', 'e', [])
    const all = await store.byTag('u1')
    expect(ids(all.rows).sort()).toEqual(['a', 'b', 'c'])
    expect(all.next).toBeUndefined()
    expect(ids((await store.byTag('u2')).rows).sort()).toEqual(['a', 'd'])
    expect(await store.byTag('nobody')).toEqual({ rows: [] })
    const first = await store.byTag('u1', { limit: 2 })
    const rest = await store.byTag('u1', { limit: 2, after: first.next ?? '' })
    expect(ids([...first.rows, ...rest.rows])).toEqual(ids(all.rows))
  })

  test('a put replaces all tags and the due time of its row', async () => {
    const store = await filled('p', ['a'], { tags: ['old', 'kept'], due: 5 })
    await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '2', tags: ['kept', 'new'] }] })
    expect((await store.byTag('old')).rows).toEqual([])
    expect((await store.byTag('kept')).rows).toMatchObject([{ id: 'a', version: 2, data: '2' }])
    expect(ids((await store.byTag('new')).rows)).toEqual(['a'])
    expect((await store.due('k')).rows).toEqual([])
    await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '3' }] })
    expect((await store.byTag('kept')).rows).toEqual([])
  })

  test('pages of a tag are stable while other rows are added, changed and removed', async () => {
    const steady = Array.from({ length: 30 }, (_, index) => `s${index}`)
    const store = await filled('p', steady, { tags: ['t'] })
    const seen: string[] = []
    let page = -1
    const read = (after?: string) => store.byTag('t', { limit: 4, ...(after !== undefined && { after }) })
    for await (const { rows } of pages(read)) {
      seen.push(...ids(rows))
      if (++page === 50) break
      const touched = steady[page % steady.length] ?? ''
      await store.commit({
        partition: 'p',
        puts: [
          { kind: 'k', id: touched, data: '"changed"', tags: ['t', `more${page}`] },
          { kind: 'k', id: `passing${page}`, data: '1', tags: ['t'] },
        ],
        ...(page > 0 && { deletes: [{ kind: 'k', id: `passing${page - 1}` }] }),
      })
    }
    const steadySeen = seen.filter((id) => id.startsWith('s'))
    expect([...steadySeen].sort()).toEqual([...steady].sort())
  })

  test.each(['', 'x', '{"a":1}', '-1', '9999999999999999999999', "1'; --", '\0'])(
    'byTag rejects the cursor %j',
    async (after) => {
      const store = await filled('p', ['a'], { tags: ['t'] })
      await expect(store.byTag('t', { after })).rejects.toMatchObject({ code: 'store_invalid' })
    },
  )

  test('due returns rows of one kind over all partitions, earliest first, with the time of the next one', async () => {
    const store = await harness.fresh()
    const { now } = await store.load([])
    const put = (partition: string, id: string, due: number | null, kind = 'k') =>
      store.commit({ partition, puts: [{ kind, id, data: '1', due }] })
    await put('p', 'late', now + 60_000)
    await put('p', 'later', now + 90_000)
    await put('q', 'second', now - 10)
    await put('p', 'first', now - 20)
    await put('p', 'never', null)
    await put('p', 'other', now - 30, 'l')
    const due = await store.due('k')
    expect(ids(due.rows)).toEqual(['first', 'second'])
    expect(due.nextDue).toBe(now + 60_000)
    expect(due.now).toBeGreaterThanOrEqual(now)
    expect(await store.due('k', { limit: 1 })).toMatchObject({ rows: [{ id: 'first' }], nextDue: now - 10 })
    expect(await store.due('nothing')).toEqual({ now: expect.any(Number), rows: [] })
    harness.advance(60_001)
    expect(await store.due('k')).toMatchObject({ rows: [{}, {}, { id: 'late' }], nextDue: now + 90_000 })
    harness.advance(60_000)
    const all = await store.due('k')
    expect(ids(all.rows)).toEqual(['first', 'second', 'late', 'later'])
    expect('nextDue' in all).toBe(false)
  })

  test('a row leaves the due list when its time is removed or moved, or the row is deleted', async () => {
    const store = await filled('p', ['a', 'b', 'c', 'd'], { due: 1 })
    await store.commit({
      partition: 'p',
      puts: [
        { kind: 'k', id: 'a', data: '1', due: null },
        { kind: 'k', id: 'b', data: '1' },
        { kind: 'k', id: 'c', data: '1', due: Number.MAX_SAFE_INTEGER },
      ],
      deletes: [{ kind: 'k', id: 'd' }],
    })
    expect(await store.due('k')).toMatchObject({ rows: [], nextDue: Number.MAX_SAFE_INTEGER })
  })

  test("the store's clock follows its offset", async () => {
    const store = await harness.fresh()
    const before = (await store.load([])).now
    harness.advance(86_400_000)
    expect((await store.load([])).now - before).toBeGreaterThanOrEqual(86_400_000)
    expect((await store.snapshot('p', [])).now - before).toBeGreaterThanOrEqual(86_400_000)
  })
}
