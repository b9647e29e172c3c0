import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFile } from './file.ts'
import { sqliteStore } from './index.ts'
import { SqliteReader } from './reader.ts'
import { RowCache } from './row-cache.ts'
import { SqliteWriter } from './writer.ts'

function file() {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-cache-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data.db')
}

const ref = { partition: 'p', kind: 'k', id: '1' }
const put = (data: string, expect: number) => ({
  partition: 'p',
  puts: [{ kind: 'k', id: '1', data, expect }],
  events: ['{}'],
})

test('a row that another connection changed is read again, for loads and for the check of a commit', async () => {
  const path = file()
  const [one, other] = [sqliteStore({ path }), sqliteStore({ path })]
  await one.commit(put('"first"', 0))
  await other.commit(put('"second"', 1))
  expect((await one.load([ref])).rows[0]).toMatchObject({ version: 2, data: '"second"' })
  await other.commit(put('"third"', 2))
  // Nothing was loaded in between: the commit itself has to notice.
  expect(await one.commit(put('"lost"', 2))).toMatchObject({ ok: false, conflict: { kind: 'k', id: '1' } })
  expect(await one.commit(put('"fourth"', 3))).toMatchObject({ ok: true, lastSeq: 4 })
  expect((await other.load([ref, { ...ref, id: 'none' }])).rows).toMatchObject([{ version: 4 }, null])
  await one.close()
  await other.close()
})

test('a row that was absent, or whose partition another connection erased, is looked for again', async () => {
  const path = file()
  const [one, other] = [sqliteStore({ path }), sqliteStore({ path })]
  expect((await one.load([ref])).rows).toEqual([null])
  await other.commit(put('"made"', 0))
  expect((await one.load([ref])).rows[0]).toMatchObject({ version: 1, data: '"made"' })
  await one.commit(put('"mine"', 1))
  await other.erase('p')
  expect((await one.load([ref])).rows).toEqual([null])
  expect(await one.commit(put('"again"', 0))).toMatchObject({ ok: true, firstSeq: 1 })
  await one.erase('p')
  expect((await one.load([ref])).rows).toEqual([null])
  expect(await one.commit(put('"once more"', 0))).toMatchObject({ ok: true, firstSeq: 1 })
  await one.close()
  await other.close()
})

test('a transaction that is rolled back leaves nothing in the cache', () => {
  const db = openFile(file())
  onTestFinished(() => db.close())
  const reader = new SqliteReader(db)
  const writer = new SqliteWriter(db, reader.cache, () => 'epoch')
  const write = (data: string, expect: number) => {
    writer.begin()
    return writer.apply([put(data, expect)]).results[0]
  }
  write('"kept"', 0)
  writer.commit()
  expect(write('"undone"', 1)).toMatchObject({ ok: true, lastSeq: 2 })
  writer.rollback()
  expect(reader.load([ref])[0]).toMatchObject({ version: 1, data: '"kept"' })
  expect(write('"next"', 1)).toMatchObject({ ok: true, lastSeq: 2 })
  writer.commit()
})

test('the oldest rows are dropped when the cache is full, and a large one is known by its version only', () => {
  const cache = new RowCache(() => 1, 10_000)
  cache.refresh()
  const row = (data: string) => ({ row: 1, version: 1, tags: null, data })
  for (let n = 0; n < 100; n++) cache.set('p', 'k', `${n}`, row('x'.repeat(100)))
  expect(cache.find('p', 'k', '0')).toEqual(row('x'.repeat(100)))
  cache.refresh()
  expect(cache.find('p', 'k', '0')).toBeUndefined()
  expect(cache.find('p', 'k', '99')).toEqual(row('x'.repeat(100)))
  cache.set('p', 'k', 'large', row('x'.repeat(1_000)))
  expect(cache.find('p', 'k', 'large')).toEqual({ ...row(''), data: undefined })
  for (let n = 0; n < 100; n++) cache.setPart(`${n}`, { part: n, epoch: 'e', head: 0 })
  cache.refresh()
  expect(cache.part('0')).toBeUndefined()
})

test('commits of one transaction continue the log of their partition, even if the cache is too small for them', () => {
  const db = openFile(file())
  onTestFinished(() => db.close())
  const writer = new SqliteWriter(db, new RowCache(() => 1, 10), () => 'epoch')
  const item = (partition: string) => ({ partition, puts: [{ kind: 'k', id: '1', data: '1' }], events: ['{}', '{}'] })
  for (let n = 0; n < 2; n++) {
    writer.begin()
    const { results } = writer.apply(['p', 'q', 'p'].map(item))
    expect(results.map((result) => 'lastSeq' in result && result.lastSeq)).toEqual(n === 0 ? [2, 2, 4] : [6, 4, 8])
    writer.commit()
  }
})
