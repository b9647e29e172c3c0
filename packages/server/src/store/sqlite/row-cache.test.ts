import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openFile } from './file.ts'
import { sqliteStore } from './index.ts'
import { SqliteReader } from './reader.ts'
import { CachedPart, RowCache } from './row-cache.ts'
import { SqliteWriter } from './writer.ts'

function file() {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-cache-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data.db')
}

/** Returns the tables that were queried for single rows since the last call. */
function counted(db: DatabaseSync) {
  let queries: string[] = []
  const prepare = db.prepare.bind(db)
  db.prepare = (sql) => {
    const statement = prepare(sql)
    const table = /^SELECT .* FROM (parts|rows) WHERE/.exec(sql)?.[1]
    if (table) {
      const get = statement.get.bind(statement)
      statement.get = (...values: never[]) => {
        queries.push(table)
        return get(...values)
      }
    }
    return statement
  }
  return () => {
    const before = queries
    queries = []
    return before
  }
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
  const writer = new SqliteWriter(db, reader, () => 'epoch')
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

test('a session that this process creates is looked for once, and its rows are never looked for', () => {
  const db = openFile(file())
  onTestFinished(() => db.close())
  const queries = counted(db)
  const reader = new SqliteReader(db)
  const writer = new SqliteWriter(db, reader, () => 'epoch')
  expect(reader.load([ref, { ...ref, id: '2' }])).toEqual([null, null])
  expect(queries()).toEqual(['parts'])
  writer.begin()
  writer.apply([
    { partition: 'p', checks: [{ kind: 'k', id: '3', version: 0 }], puts: [{ kind: 'k', id: '1', data: '1' }] },
  ])
  writer.commit()
  expect(reader.load([ref, { ...ref, id: '2' }])).toMatchObject([{ version: 1, data: '1' }, null])
  expect(queries()).toEqual([])
})

test('of a session that was there before, absent rows are known only after they were looked for', async () => {
  const path = file()
  const earlier = sqliteStore({ path })
  await earlier.commit(put('"first"', 0))
  await earlier.close()
  const store = sqliteStore({ path })
  onTestFinished(() => store.close())
  expect((await store.load([{ ...ref, id: 'none' }])).rows).toEqual([null])
  expect((await store.load([ref])).rows).toMatchObject([{ version: 1 }])
  expect(await store.commit(put('"lost"', 0))).toMatchObject({ ok: false })
})

test('partitions that were not used for a while are dropped, and a large row is known by its version only', () => {
  const cache = new RowCache(() => 1, 10_000)
  cache.refresh()
  const row = (id: string, data: string) => ({ kind: 'k', id, row: 1, version: 1, tags: null, data })
  const add = (name: string) => {
    const part = new CachedPart()
    cache.addPart(name, part)
    cache.add(part, row('1', 'x'.repeat(100)))
  }
  for (let n = 0; n < 15; n++) add(`${n}`)
  cache.refresh()
  expect(cache.part('0')?.find('k', '1')).toEqual(row('1', 'x'.repeat(100)))
  for (let n = 15; n < 30; n++) add(`${n}`)
  cache.refresh()
  expect(cache.part('1')).toBeUndefined()
  const used = cache.part('0')
  expect(used?.find('k', '1')).toBeDefined()
  if (used) cache.add(used, row('large', 'x'.repeat(1_000)))
  expect(used?.find('k', 'large')).toEqual({ ...row('large', ''), data: undefined })
})

test('a partition with very many rows does not take the place of others', () => {
  const cache = new RowCache(() => 1, 10_000)
  cache.refresh()
  const part = new CachedPart()
  cache.addPart('large', part)
  for (let n = 0; n < 100; n++) cache.add(part, { kind: 'k', id: `${n}`, row: n, version: 1, tags: null, data: '1' })
  expect(cache.part('large')?.find('k', '99')).toBeDefined()
  cache.refresh()
  expect(cache.part('large')).toBeUndefined()
})

test('commits of one transaction continue the log of their partition, even if the cache is too small for them', () => {
  const db = openFile(file())
  onTestFinished(() => db.close())
  const writer = new SqliteWriter(db, new SqliteReader(db, 10), () => 'epoch')
  const item = (partition: string) => ({ partition, puts: [{ kind: 'k', id: '1', data: '1' }], events: ['{}', '{}'] })
  for (let n = 0; n < 2; n++) {
    writer.begin()
    const { results } = writer.apply(['p', 'q', 'p'].map(item))
    expect(results.map((result) => 'lastSeq' in result && result.lastSeq)).toEqual(n === 0 ? [2, 2, 4] : [6, 4, 8])
    writer.commit()
  }
})
