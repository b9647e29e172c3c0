import { expect, test } from 'vitest'
import { type Harness, row } from './harness.ts'

export function commitTests(harness: Harness): void {
  test('a commit writes rows and events, and returns the positions of the events', async () => {
    const store = await harness.fresh()
    const first = await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '{"n":1}' }], events: ['1'] })
    expect(first).toEqual({ ok: true, epoch: expect.any(String), firstSeq: 1, lastSeq: 1 })
    const second = await store.commit({ partition: 'p', events: ['2', '3'] })
    expect(second).toEqual({ ...first, firstSeq: 2, lastSeq: 3 })
    const { rows } = await store.load([row('p', 'k', 'a'), row('p', 'k', 'b')])
    expect(rows).toEqual([{ partition: 'p', kind: 'k', id: 'a', version: 1, data: '{"n":1}' }, null])
  })

  test('a commit without events returns the head', async () => {
    const store = await harness.fresh()
    await store.commit({ partition: 'p', events: ['1', '2'] })
    const result = await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1' }] })
    expect(result).toMatchObject({ ok: true, firstSeq: 2, lastSeq: 2 })
  })

  test("a row's version counts its writes from 1, and starts at 1 again after a delete", async () => {
    const store = await harness.fresh()
    const put = (data: string) => store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data }] })
    const version = async () => (await store.load([row('p', 'k', 'a')])).rows[0]?.version
    await put('1')
    await put('2')
    expect(await version()).toBe(2)
    await store.commit({ partition: 'p', deletes: [{ kind: 'k', id: 'a' }] })
    expect(await version()).toBeUndefined()
    await put('3')
    expect(await version()).toBe(1)
  })

  test.each([
    ['a row that must not exist', 0, true],
    ['an older version', 1, true],
    ['the version that it has', 2, false],
    ['a later version', 3, true],
  ])('a put that expects %s', async (_name, version, refused) => {
    const store = await harness.fresh()
    await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1' }] })
    await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '2' }] })
    const result = await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '3', expect: version }] })
    if (refused) expect(result).toEqual({ ok: false, conflict: { kind: 'k', id: 'a' } })
    else expect(result.ok).toBe(true)
    const { rows } = await store.load([row('p', 'k', 'a')])
    expect(rows[0]).toMatchObject(refused ? { version: 2, data: '2' } : { version: 3, data: '3' })
  })

  test('a put that expects a version of a missing row conflicts', async () => {
    const store = await harness.fresh()
    const result = await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1', expect: 1 }] })
    expect(result).toEqual({ ok: false, conflict: { kind: 'k', id: 'a' } })
  })

  test('a conflict names the first row and changes nothing', async () => {
    const store = await harness.fresh()
    await store.commit({
      partition: 'p',
      puts: [
        { kind: 'k', id: 'a', data: '"a"', due: 5, tags: ['t'] },
        { kind: 'k', id: 'gone', data: '"gone"' },
      ],
      events: ['"before"'],
    })
    const before = await everything(harness, store)
    const result = await store.commit({
      partition: 'p',
      checks: [{ kind: 'k', id: 'a', version: 1 }],
      puts: [
        { kind: 'k', id: 'new', data: '1', tags: ['t'], due: 1 },
        { kind: 'k', id: 'a', data: '"changed"', expect: 7 },
        { kind: 'k', id: 'b', data: '1', expect: 7 },
      ],
      deletes: [{ kind: 'k', id: 'gone' }],
      events: ['"never"'],
    })
    expect(result).toEqual({ ok: false, conflict: { kind: 'k', id: 'a' } })
    expect(await everything(harness, store)).toEqual(before)
    const next = await store.commit({ partition: 'p', events: ['"after"'] })
    expect(next).toMatchObject({ firstSeq: 2 })
  })

  test('checks verify rows that are not written', async () => {
    const store = await harness.fresh()
    await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1' }] })
    const guarded = (version: number, id = 'a') =>
      store.commit({ partition: 'p', checks: [{ kind: 'k', id, version }], events: ['1'] })
    expect(await guarded(1)).toMatchObject({ ok: true })
    expect(await guarded(2)).toEqual({ ok: false, conflict: { kind: 'k', id: 'a' } })
    expect(await guarded(0)).toEqual({ ok: false, conflict: { kind: 'k', id: 'a' } })
    expect(await guarded(0, 'absent')).toMatchObject({ ok: true })
    expect(await guarded(1, 'absent')).toEqual({ ok: false, conflict: { kind: 'k', id: 'absent' } })
    expect((await store.load([row('p', 'k', 'a')])).rows[0]?.version).toBe(1)
  })

  test('conflicts are searched in checks, puts and deletes, in this order', async () => {
    const store = await harness.fresh()
    const wrong = { kind: 'k', version: 9 }
    const all = await store.commit({
      partition: 'p',
      deletes: [{ kind: 'k', id: 'deleted', expect: 9 }],
      puts: [{ kind: 'k', id: 'put', data: '1', expect: 9 }],
      checks: [{ ...wrong, id: 'checked' }],
    })
    expect(all).toMatchObject({ conflict: { id: 'checked' } })
    const two = await store.commit({
      partition: 'p',
      deletes: [{ kind: 'k', id: 'deleted', expect: 9 }],
      puts: [{ kind: 'k', id: 'put', data: '1', expect: 9 }],
    })
    expect(two).toMatchObject({ conflict: { id: 'put' } })
  })

  test('a commit of checks alone, or of nothing, succeeds and leaves nothing', async () => {
    const store = await harness.fresh()
    const checks = [{ kind: 'k', id: 'a', version: 0 }]
    expect(await store.commit({ partition: 'p', checks })).toEqual({ ok: true, epoch: '0', firstSeq: 0, lastSeq: 0 })
    expect(await store.commit({ partition: 'p' })).toEqual({ ok: true, epoch: '0', firstSeq: 0, lastSeq: 0 })
    const { epoch } = await store.readLog('p', { from: 0, limit: 1 })
    expect(epoch).toBe('0')
  })

  test('a delete succeeds with the right version, and conflicts with a wrong one or a missing row', async () => {
    const store = await harness.fresh()
    await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1', tags: ['t'], due: 1 }] })
    const remove = (id: string, version?: number) =>
      store.commit({
        partition: 'p',
        deletes: [version === undefined ? { kind: 'k', id } : { kind: 'k', id, expect: version }],
      })
    expect(await remove('a', 2)).toEqual({ ok: false, conflict: { kind: 'k', id: 'a' } })
    expect(await remove('absent')).toMatchObject({ ok: true })
    expect(await remove('absent', 1)).toEqual({ ok: false, conflict: { kind: 'k', id: 'absent' } })
    expect(await remove('absent', 0)).toMatchObject({ ok: true })
    expect(await remove('a', 1)).toMatchObject({ ok: true })
    expect(await everything(harness, store)).toMatchObject({ rows: [], tagged: [], due: [] })
  })

  test('rows with the same id under two kinds or in two partitions are independent', async () => {
    const store = await harness.fresh()
    await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1' }] })
    await store.commit({ partition: 'p', puts: [{ kind: 'l', id: 'a', data: '2', expect: 0 }] })
    await store.commit({ partition: 'q', puts: [{ kind: 'k', id: 'a', data: '3', expect: 0 }], events: ['1'] })
    const { rows } = await store.load([row('q', 'k', 'a'), row('p', 'l', 'a'), row('p', 'k', 'a'), row('q', 'l', 'a')])
    expect(rows.map((one) => one?.data)).toEqual(['3', '2', '1', undefined])
    expect((await store.readLog('p', { from: 0, limit: 9 })).head).toBe(0)
  })

  test('a returned row belongs to the caller: changing it does not change the store', async () => {
    const store = await harness.fresh()
    await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1' }] })
    const loaded = (await store.load([row('p', 'k', 'a')])).rows[0]
    Object.assign(loaded ?? {}, { data: 'mine', version: 99 })
    expect((await store.load([row('p', 'k', 'a')])).rows[0]).toMatchObject({ data: '1', version: 1 })
  })

  test('a row that is requested twice is returned twice', async () => {
    const store = await harness.fresh()
    await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1' }] })
    const { rows } = await store.load([row('p', 'k', 'a'), row('p', 'k', 'x'), row('p', 'k', 'a')])
    expect(rows.map((one) => one?.version)).toEqual([1, undefined, 1])
    expect(await store.load([])).toMatchObject({ rows: [] })
  })
}

type Opened = Awaited<ReturnType<Harness['fresh']>>

/** All that partition `p`, tag `t` and the due list contain, with the clock far in the future. */
async function everything(harness: Harness, store: Opened) {
  harness.advance(1_000)
  const { events, head, floor } = await store.readLog('p', { from: 0, limit: 100 })
  const rows = await store.list('p', 'k')
  const tagged = (await store.byTag('t')).rows
  const due = (await store.due('k')).rows
  return { events, head, floor, rows, tagged, due }
}
