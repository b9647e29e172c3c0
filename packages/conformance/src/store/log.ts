import { expect, test } from 'vitest'
import type { Harness } from './harness.ts'

const seqs = (page: { events: readonly { seq: number }[] }) => page.events.map(({ seq }) => seq)

export function logTests(harness: Harness): void {
  const filled = async (count: number) => {
    const store = await harness.fresh()
    for (let n = 1; n <= count; n++) await store.commit({ partition: 'p', events: [`"e${n}"`] })
    return store
  }

  test('a log is empty, with head 0 and floor 1, before the first commit', async () => {
    const store = await harness.fresh()
    expect(await store.readLog('p', { from: 0, limit: 10 })).toEqual({ epoch: '0', head: 0, floor: 1, events: [] })
    expect(await store.snapshot('p', ['k'])).toMatchObject({ epoch: '0', head: null, rows: [] })
    await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1' }] })
    expect(await store.readLog('p', { from: 1, limit: 10 })).toMatchObject({ head: 0, floor: 1, events: [] })
  })

  test('read starts at a sequence number, inclusive, and stops at a limit', async () => {
    const store = await filled(7)
    const all = await store.readLog('p', { from: 0, limit: 100 })
    expect(all).toMatchObject({ head: 7, floor: 1 })
    expect(all.events).toEqual([1, 2, 3, 4, 5, 6, 7].map((seq) => ({ seq, json: `"e${seq}"` })))
    expect(seqs(await store.readLog('p', { from: 1, limit: 3 }))).toEqual([1, 2, 3])
    expect(seqs(await store.readLog('p', { from: 5, limit: 3 }))).toEqual([5, 6, 7])
    expect(seqs(await store.readLog('p', { from: 7, limit: 3 }))).toEqual([7])
    expect(await store.readLog('p', { from: 8, limit: 3 })).toMatchObject({ head: 7, floor: 1, events: [] })
    expect(await store.readLog('p', { from: 1_000, limit: 3 })).toMatchObject({ head: 7, events: [] })
  })

  test('the log keeps the order of events within a commit', async () => {
    const store = await harness.fresh()
    const events = Array.from({ length: 500 }, (_, index) => String(index))
    const result = await store.commit({ partition: 'p', events })
    expect(result).toMatchObject({ firstSeq: 1, lastSeq: 500 })
    const page = await store.readLog('p', { from: 1, limit: 1_000 })
    expect(page.events.map(({ json }) => json)).toEqual(events)
  })

  test('a log has one epoch for its lifetime', async () => {
    const store = await filled(1)
    const { epoch } = await store.readLog('p', { from: 0, limit: 1 })
    expect(epoch).toMatch(/^[\w-]{4,40}$/)
    expect(epoch).not.toBe('0')
    expect(await store.commit({ partition: 'p', events: ['1'] })).toMatchObject({ epoch })
    expect(await store.snapshot('p', [])).toMatchObject({ epoch })
    await store.trim('p', 2)
    expect(await store.readLog('p', { from: 0, limit: 1 })).toMatchObject({ epoch })
  })

  test('trim drops events before a number, raises the floor, and keeps all rows', async () => {
    const store = await filled(5)
    await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1', tags: ['t'], due: 1 }] })
    await store.trim('p', 3)
    const page = await store.readLog('p', { from: 0, limit: 10 })
    expect(page).toMatchObject({ head: 5, floor: 3 })
    expect(seqs(page)).toEqual([3, 4, 5])
    await store.trim('p', 2)
    expect(await store.readLog('p', { from: 0, limit: 10 })).toEqual(page)
    expect(await store.list('p', 'k')).toHaveLength(1)
    expect((await store.byTag('t')).rows).toHaveLength(1)
    expect((await store.due('k')).rows).toHaveLength(1)
    expect(await store.commit({ partition: 'p', events: ['1'] })).toMatchObject({ firstSeq: 6 })
    await store.trim('nowhere', 3)
    expect((await store.readLog('nowhere', { from: 0, limit: 1 })).epoch).toBe('0')
  })

  test('trim keeps the last event, because a cursor needs it', async () => {
    const store = await filled(4)
    await store.trim('p', 1_000)
    expect(await store.readLog('p', { from: 0, limit: 10 })).toMatchObject({
      head: 4,
      floor: 4,
      events: [{ seq: 4, json: '"e4"' }],
    })
    expect((await store.snapshot('p', [])).head).toEqual({ seq: 4, json: '"e4"' })
    expect(await store.commit({ partition: 'p', events: ['1'] })).toMatchObject({ firstSeq: 5 })
  })

  test('trim removes more events than fit into one chunk', async () => {
    const store = await harness.fresh()
    for (let n = 0; n < 4; n++) {
      await store.commit({ partition: 'p', events: Array.from({ length: 6_000 }, (_, i) => String(n * 6_000 + i + 1)) })
    }
    await store.trim('p', 23_990)
    const page = await store.readLog('p', { from: 0, limit: 100 })
    expect(page).toMatchObject({ head: 24_000, floor: 23_990 })
    expect(page.events.map(({ json }) => Number(json))).toEqual(Array.from({ length: 11 }, (_, i) => 23_990 + i))
  })

  test('rewrite changes the text of some events and nothing else, and starts a new epoch, so that every reader is reset', async () => {
    const store = await harness.fresh()
    const put = { kind: 'k', id: 'a', data: '1', tags: ['t'], due: 1 }
    await store.commit({ partition: 'p', puts: [put], events: Array.from({ length: 1_200 }, (_, i) => `"e${i + 1}"`) })
    await store.trim('p', 3)
    const before = await store.readLog('p', { from: 0, limit: 2_000 })
    await store.rewrite(
      'p',
      [7, 3, 1_200, 1, 5_000].map((seq) => ({ seq, json: `"new ${seq}"` })),
    )
    const page = await store.readLog('p', { from: 0, limit: 2_000 })
    expect([page.head, page.floor]).toEqual([1_200, 3])
    expect(page.epoch).not.toBe(before.epoch)
    const changed = page.events.filter(({ json }, index) => json !== before.events[index]?.json)
    expect(changed).toEqual([3, 7, 1_200].map((seq) => ({ seq, json: `"new ${seq}"` })))
    expect(seqs(page)).toEqual(seqs(before))
    const { epoch } = page
    expect(await store.snapshot('p', ['k'])).toMatchObject({
      epoch,
      head: { json: '"new 1200"' },
      rows: [{ version: 1 }],
    })
    expect((await store.byTag('t')).rows).toHaveLength(1)
    expect(await store.commit({ partition: 'p', events: ['1'] })).toMatchObject({ epoch, firstSeq: 1_201 })
    const another = await harness.another()
    if (another)
      expect(await another.readLog('p', { from: 3, limit: 1 })).toMatchObject({ epoch, events: [changed[0]] })
  })

  test('rewrite of no events or of a missing log changes nothing; invalid arguments are rejected', async () => {
    const store = await filled(2)
    const before = await store.readLog('p', { from: 0, limit: 10 })
    await store.rewrite('p', [])
    await store.rewrite('nowhere', [{ seq: 1, json: '1' }])
    expect((await store.readLog('nowhere', { from: 0, limit: 1 })).epoch).toBe('0')
    for (const events of [[{ seq: -1, json: '1' }], [{ seq: 1, json: 'a\0b' }], Array(2).fill({ seq: 1, json: '1' })]) {
      await expect(store.rewrite('p', events)).rejects.toMatchObject({ code: 'store_invalid' })
    }
    expect(await store.readLog('p', { from: 0, limit: 10 })).toEqual(before)
  })

  test('commits during a rewrite lose nothing', async () => {
    const store = await filled(50)
    const second = (await harness.another()) ?? store
    const commits = Array.from({ length: 40 }, (_, n) =>
      (n % 2 ? store : second).commit({ partition: 'p', events: [`"c${n}"`] }),
    )
    const rewrites = [1, 2, 3].map((seq) => store.rewrite('p', [{ seq, json: `"r${seq}"` }]))
    const results = await Promise.all(commits)
    await Promise.all(rewrites)
    const page = await store.readLog('p', { from: 0, limit: 1_000 })
    expect(page.head).toBe(90)
    expect(page.events.slice(0, 4).map(({ json }) => json)).toEqual(['"r1"', '"r2"', '"r3"', '"e4"'])
    results.forEach((result, n) => {
      expect(page.events).toContainEqual({ seq: result.ok ? result.firstSeq : -1, json: `"c${n}"` })
    })
  })

  test('erase removes rows, tags, due times and log; the next log has another epoch', async () => {
    const store = await filled(3)
    const { epoch } = await store.readLog('p', { from: 0, limit: 1 })
    const put = { kind: 'k', id: 'a', data: '1', tags: ['t'], due: 1 }
    await store.commit({ partition: 'p', puts: [put] })
    await store.commit({ partition: 'q', puts: [put], events: ['1'] })
    await store.erase('p')
    expect(await store.list('p', 'k')).toEqual([])
    expect((await store.byTag('t')).rows).toMatchObject([{ partition: 'q' }])
    expect((await store.due('k')).rows).toMatchObject([{ partition: 'q' }])
    expect(await store.readLog('p', { from: 0, limit: 10 })).toEqual({ epoch: '0', head: 0, floor: 1, events: [] })
    expect((await store.readLog('q', { from: 0, limit: 10 })).head).toBe(1)
    const again = await store.commit({ partition: 'p', puts: [{ ...put, expect: 0 }], events: ['1'] })
    expect(again).toMatchObject({ ok: true, firstSeq: 1 })
    expect(again).not.toMatchObject({ epoch })
    await store.erase('nowhere')
  })

  test('snapshot returns the kinds in the requested order, then ids; the limit counts all rows; head is the last event', async () => {
    const store = await filled(2)
    const put = (kind: string, id: string) => ({ kind, id, data: `"${kind}${id}"` })
    await store.commit({ partition: 'p', puts: [put('b', '2'), put('a', '2'), put('c', '1'), put('a', '1')] })
    await store.commit({ partition: 'p', puts: [put('b', '1')], events: ['"last"'] })
    const named = (rows: readonly { kind: string; id: string }[]) => rows.map(({ kind, id }) => kind + id)
    const whole = await store.snapshot('p', ['b', 'a'])
    expect(named(whole.rows)).toEqual(['b1', 'b2', 'a1', 'a2'])
    expect(whole.head).toEqual({ seq: 3, json: '"last"' })
    expect(named((await store.snapshot('p', ['b', 'a', 'b'], { limit: 3 })).rows)).toEqual(['b1', 'b2', 'a1'])
    expect((await store.snapshot('p', [])).rows).toEqual([])
  })

  test('a snapshot is consistent during commits', async () => {
    const store = await harness.fresh()
    let writing = true
    const writer = (async () => {
      for (let n = 1; n <= 200; n++) {
        await store.commit({
          partition: 'p',
          puts: [
            { kind: 'k', id: 'a', data: String(n) },
            { kind: 'l', id: 'b', data: String(n) },
          ],
          events: [String(n)],
        })
      }
      writing = false
    })()
    while (writing) {
      const { rows, head } = await store.snapshot('p', ['k', 'l'])
      const seen = [...rows.map(({ data }) => data), ...(head ? [head.json, String(head.seq)] : [])]
      expect(new Set(seen).size).toBeLessThanOrEqual(1)
      const page = await store.readLog('p', { from: 1, limit: 1_000 })
      expect(page.events.at(-1)?.seq ?? 0).toBe(page.head)
      await new Promise(setImmediate)
    }
    await writer
  })
}
