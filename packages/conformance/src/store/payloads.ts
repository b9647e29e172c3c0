import { expect, test } from 'vitest'
import { type Harness, row } from './harness.ts'

const ODD = [
  '{}',
  '{x}',
  ':',
  '/',
  'a/b:c{d}e',
  '*?[]',
  '%_\\',
  "'; drop table rows; --",
  '"',
  '$1',
  ' ',
  '\n',
  '\t\r',
  '__proto__',
  'constructor',
  'é',
  'e\u0301',
  '日本語',
  '\u{1f9d1}\u200d\u{1f680}',
  '\u202eabc',
  'A',
  'a',
  '0',
  '-1',
  'null',
]

export function payloadTests(harness: Harness): void {
  test('unusual keys stay distinct and are returned unchanged', async () => {
    const store = await harness.fresh()
    for (const key of ODD) {
      const result = await store.commit({
        partition: key,
        puts: ODD.map((id) => ({ kind: 'k', id, data: JSON.stringify([key, id]), tags: [`tag ${id}`] })),
        events: [JSON.stringify(key)],
      })
      expect(result).toMatchObject({ ok: true, firstSeq: 1, lastSeq: 1 })
    }
    const refs = ODD.flatMap((partition) => ODD.map((id) => row(partition, 'k', id)))
    const { rows } = await store.load(refs)
    expect(rows.map((one) => one && [one.partition, one.id, one.data])).toEqual(
      refs.map(({ partition, id }) => [partition, id, JSON.stringify([partition, id])]),
    )
    for (const key of ODD) {
      expect((await store.readLog(key, { from: 1, limit: 9 })).events).toEqual([{ seq: 1, json: JSON.stringify(key) }])
      expect(await store.list(key, 'k')).toHaveLength(ODD.length)
      expect((await store.byTag(`tag ${key}`)).rows.map(({ partition }) => partition).sort()).toEqual([...ODD].sort())
    }
  })

  test('unusual kinds work, also in due lists', async () => {
    const store = await harness.fresh()
    await store.commit({ partition: 'p', puts: ODD.map((kind) => ({ kind, id: 'a', data: '1', due: 1 })) })
    for (const kind of ODD) {
      expect((await store.due(kind)).rows).toMatchObject([{ kind }])
      expect(await store.list('p', kind)).toHaveLength(1)
    }
    expect((await store.snapshot('p', ODD)).rows.map(({ kind }) => kind)).toEqual(ODD)
  })

  test('text is returned exactly', async () => {
    const store = await harness.fresh()
    const texts = [
      '',
      '"\\u0000"',
      '"\u{1f600}\u0301\u200b"',
      '{"a":"\\ud800"}',
      '"line\u2028\u2029"',
      '  {"spaced" : 1}\n',
    ]
    const result = await store.commit({
      partition: 'p',
      puts: texts.map((data, index) => ({ kind: 'k', id: String(index), data })),
      events: texts,
    })
    expect(result).toMatchObject({ ok: true, lastSeq: texts.length })
    expect((await store.list('p', 'k')).map(({ data }) => data)).toEqual(texts)
    expect((await store.readLog('p', { from: 1, limit: 99 })).events.map(({ json }) => json)).toEqual(texts)
  })

  test('rows and events of 4 MB are stored', async () => {
    const store = await harness.fresh()
    const data = JSON.stringify('ä🚀x'.repeat(500_000))
    await store.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data }], events: [data, '1'] })
    expect((await store.load([row('p', 'k', 'a')])).rows[0]?.data === data).toBe(true)
    const { events } = await store.readLog('p', { from: 1, limit: 9 })
    expect(events[0]?.json === data).toBe(true)
    expect(events[1]).toEqual({ seq: 2, json: '1' })
  })

  test('keys of 2,000 bytes are stored, longer ones are rejected with a code', async () => {
    const store = await harness.fresh()
    const long = '€'.repeat(666)
    const put = { kind: 'k'.repeat(128), id: long, data: '1', tags: [long] }
    expect(await store.commit({ partition: long, puts: [put] })).toMatchObject({ ok: true })
    expect((await store.byTag(long)).rows).toHaveLength(1)
    const refused = { code: 'store_invalid' }
    await expect(store.commit({ partition: `${long}€`, events: ['1'] })).rejects.toMatchObject(refused)
    await expect(store.commit({ partition: 'p', puts: [{ ...put, id: `${long}€` }] })).rejects.toMatchObject(refused)
    await expect(store.commit({ partition: 'p', puts: [{ ...put, kind: 'k'.repeat(129) }] })).rejects.toMatchObject(
      refused,
    )
  })

  const put = { kind: 'k', id: 'a', data: '1' }
  test.each([
    ['NUL in a partition', { partition: 'a\0b', events: ['1'] }],
    ['NUL in an id', { partition: 'p', puts: [{ ...put, id: 'a\0b' }] }],
    ['NUL in a kind', { partition: 'p', puts: [{ ...put, kind: 'a\0b' }] }],
    ['NUL in a tag', { partition: 'p', puts: [{ ...put, tags: ['a\0b'] }] }],
    ['NUL in a row', { partition: 'p', puts: [{ ...put, data: 'a\0b' }] }],
    ['NUL in an event', { partition: 'p', events: ['1', 'a\0b'] }],
    ['half a surrogate pair in a partition', { partition: '\ud800', events: ['1'] }],
    ['half a surrogate pair in an event', { partition: 'p', events: ['"\udc00"'] }],
    ['an empty partition', { partition: '', events: ['1'] }],
    ['an empty id', { partition: 'p', puts: [{ ...put, id: '' }] }],
    ['an empty tag', { partition: 'p', puts: [{ ...put, tags: [''] }] }],
    ['a broken version', { partition: 'p', puts: [{ ...put, expect: 1.5 }] }],
    ['a negative version', { partition: 'p', checks: [{ kind: 'k', id: 'a', version: -1 }] }],
    ['a broken version of a check', { partition: 'p', checks: [{ kind: 'k', id: 'a', version: 0.5 }], events: ['1'] }],
    ['a negative version of a put', { partition: 'p', puts: [{ ...put, expect: -1 }] }],
    ['a broken version of a delete', { partition: 'p', deletes: [{ kind: 'k', id: 'a', expect: 0.5 }], events: ['1'] }],
    ['NUL in the kind of a check', { partition: 'p', checks: [{ kind: 'a\0', id: 'a', version: 0 }], events: ['1'] }],
    ['NUL in the id of a check', { partition: 'p', checks: [{ kind: 'k', id: 'a\0', version: 0 }], events: ['1'] }],
    ['NUL in the kind of a delete', { partition: 'p', deletes: [{ kind: 'a\0', id: 'a' }], events: ['1'] }],
    ['NUL in the id of a delete', { partition: 'p', deletes: [{ kind: 'k', id: 'a\0' }], events: ['1'] }],
    ['an event that is not a string', { partition: 'p', events: [1 as unknown as string] }],
    ['an id that is not a string', { partition: 'p', puts: [{ ...put, id: 1 as unknown as string }] }],
    [
      'one row deleted twice',
      {
        partition: 'p',
        deletes: [
          { kind: 'k', id: 'a' },
          { kind: 'k', id: 'a' },
        ],
        events: ['1'],
      },
    ],
    ['a due time that is not a number', { partition: 'p', puts: [{ ...put, due: Number.NaN }] }],
    ['a broken due time', { partition: 'p', puts: [{ ...put, due: 0.5 }] }],
    ['one row put twice', { partition: 'p', puts: [put, { ...put, data: '2' }] }],
    ['one row put and deleted', { partition: 'p', puts: [put], deletes: [{ kind: 'k', id: 'a' }] }],
  ])('a commit with %s is rejected and writes nothing', async (_name, item) => {
    const store = await harness.fresh()
    await expect(store.commit(item)).rejects.toMatchObject({ code: 'store_invalid' })
    expect(await store.readLog('p', { from: 0, limit: 1 })).toMatchObject({ epoch: '0', head: 0 })
    expect(await store.list('p', 'k')).toEqual([])
  })

  test('reads with keys that no store can hold are rejected', async () => {
    const store = await harness.fresh()
    const refused = { code: 'store_invalid' }
    await expect(store.load([row('p', 'k', 'a\0')])).rejects.toMatchObject(refused)
    await expect(store.load([row('p\0', 'k', 'a')])).rejects.toMatchObject(refused)
    await expect(store.load([row('p', 'k\0', 'a')])).rejects.toMatchObject(refused)
    await expect(store.list('p\0', 'k')).rejects.toMatchObject(refused)
    await expect(store.list('p', 'k\0')).rejects.toMatchObject(refused)
    await expect(store.list('p', 'k', { limit: 1.5 })).rejects.toMatchObject(refused)
    await expect(store.list('p', 'k', { after: '\0' })).rejects.toMatchObject(refused)
    await expect(store.list('p', 'k', { limit: 0 })).rejects.toMatchObject(refused)
    await expect(store.byTag('')).rejects.toMatchObject(refused)
    await expect(store.byTag('t', { limit: 0 })).rejects.toMatchObject(refused)
    await expect(store.byTag('t', { after: 1 as unknown as string })).rejects.toMatchObject(refused)
    await expect(store.due('k', { limit: -1 })).rejects.toMatchObject(refused)
    await expect(store.due('k\0')).rejects.toMatchObject(refused)
    await expect(store.readLog('p\0', { from: 1, limit: 1 })).rejects.toMatchObject(refused)
    await expect(store.readLog('p', { from: 0.5, limit: 1 })).rejects.toMatchObject(refused)
    await expect(store.readLog('p', { from: -1, limit: 1 })).rejects.toMatchObject(refused)
    await expect(store.readLog('p', { from: 1, limit: Number.NaN })).rejects.toMatchObject(refused)
    await expect(store.snapshot('p', ['k\0'])).rejects.toMatchObject(refused)
    await expect(store.snapshot('p\0', ['k'])).rejects.toMatchObject(refused)
    await expect(store.snapshot('p', ['k'], { limit: 0 })).rejects.toMatchObject(refused)
    await expect(store.trim('p', Number.NaN)).rejects.toMatchObject(refused)
    await expect(store.trim('p\0', 1)).rejects.toMatchObject(refused)
    await expect(store.trim('p', -1)).rejects.toMatchObject(refused)
    await expect(store.erase('')).rejects.toMatchObject(refused)
  })

  test('an invalid item fails only its own commit', async () => {
    const store = await harness.fresh()
    const results = await Promise.allSettled([
      store.commit({ partition: 'p', puts: [{ ...put, id: '1' }], events: ['1'] }),
      store.commit({ partition: 'p', puts: [{ ...put, id: 'a\0' }], events: ['2'] }),
      store.commit({ partition: 'p', puts: [{ ...put, id: '3', expect: 5 }], events: ['3'] }),
      store.commit({ partition: 'q', puts: [{ ...put, id: '4' }], events: ['4'] }),
      store.commit({ partition: 'p', puts: [{ ...put, id: '5' }], events: ['5'] }),
    ])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ])
    expect(results[2]).toMatchObject({ value: { ok: false, conflict: { kind: 'k', id: '3' } } })
    expect((await store.readLog('p', { from: 1, limit: 9 })).events.map(({ json }) => json)).toEqual(['1', '5'])
    expect((await store.readLog('q', { from: 1, limit: 9 })).head).toBe(1)
  })
}
