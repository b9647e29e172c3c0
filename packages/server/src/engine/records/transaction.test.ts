import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { describe, expect, test } from 'vitest'
import { encodeRow } from './row-codec.ts'
import { Conflict, type KnownRows, Transaction } from './transaction.ts'

const NOW = 1_000
const node = (until: number) => ({ until })

/** A store that says what it is asked and given. */
function world() {
  const store = memoryStore({ now: () => NOW })
  const asked: string[][] = []
  const given: Parameters<Store['commit']>[0][] = []
  const watched: Store = {
    ...store,
    load(refs) {
      asked.push(refs.map(({ partition, kind, id }) => `${partition} ${kind} ${id}`))
      return store.load(refs)
    },
    commit(item) {
      given.push(item)
      return store.commit(item)
    },
  }
  const begin = (known?: KnownRows) => new Transaction({ store: watched, keepMs: 50 }, 'p', known)
  const write = async (id: string, until: number) => {
    const tx = begin()
    tx.put('node', id, node(until))
    await tx.commit()
    asked.length = 0
    given.length = 0
  }
  const stored = async (id: string) => (await store.load([{ partition: 'p', kind: 'node', id }])).rows[0]
  return { store, asked, given, begin, write, stored }
}

test('a transaction reads rows in the requested order with null for missing ones, and then knows the clock of the store', async () => {
  const { begin, write } = world()
  await write('a', 1)
  const tx = begin()
  expect(tx.now).toBe(0)
  expect(await tx.read(['node', 'b'], ['node', 'a'])).toEqual([null, node(1)])
  expect([tx.now, tx.keepUntil]).toEqual([NOW, NOW + 50])
})

test('a transaction checks the versions of all rows that it read, also those that it does not write', async () => {
  const { begin, write, given } = world()
  await write('a', 1)
  await write('b', 1)
  const tx = begin()
  await tx.read(['node', 'a'], ['node', 'b'], ['node', 'c'], ['node', 'd'], ['node', 'e', 'elsewhere'])
  tx.put('node', 'a', node(2))
  tx.put('node', 'c', node(2))
  tx.put('node', 'new', node(2))
  tx.delete('node', 'b')
  await tx.commit()
  const [item] = given
  expect(item?.checks).toEqual([{ kind: 'node', id: 'd', version: 0 }])
  expect(item?.puts?.map(({ id, expect: version }) => [id, version])).toEqual([
    ['a', 1],
    ['c', 0],
    ['new', undefined],
  ])
  expect(item?.deletes).toEqual([{ kind: 'node', id: 'b', expect: 1 }])
})

test('a transaction does not delete a row that it read as missing, and checks that it is still missing', async () => {
  const { begin, given, store } = world()
  const tx = begin()
  await tx.read(['node', 'a'])
  tx.delete('node', 'a')
  await store.commit({ partition: 'p', puts: [{ kind: 'node', id: 'a', data: encodeRow(node(1)) }] })
  await expect(tx.commit()).rejects.toBeInstanceOf(Conflict)
  expect(given[0]).toMatchObject({ checks: [{ kind: 'node', id: 'a', version: 0 }], deletes: [] })
})

test('a transaction deletes a row that it did not read without a check', async () => {
  const { begin, write, given, stored } = world()
  await write('a', 1)
  const tx = begin()
  tx.delete('node', 'a')
  await tx.commit()
  expect(given[0]?.deletes).toEqual([{ kind: 'node', id: 'a' }])
  expect(await stored('a')).toBeNull()
})

test('the last put or delete of a row in a transaction counts', async () => {
  const { begin, write, stored } = world()
  await write('a', 1)
  await write('b', 1)
  const tx = begin()
  tx.delete('node', 'a')
  tx.put('node', 'a', node(2))
  tx.put('node', 'b', node(2))
  tx.delete('node', 'b')
  await tx.commit()
  expect(await stored('a')).toMatchObject({ data: encodeRow(node(2)) })
  expect(await stored('b')).toBeNull()
})

test('a transaction of many rows reads, writes and checks each row once', async () => {
  const { begin, write, given } = world()
  await write('0', 1)
  const tx = begin()
  const ids = Array.from({ length: 60 }, (_, n) => `${n}`)
  await tx.read(...ids.map((id) => ['node', id] as const))
  for (const id of ids) if (Number(id) % 2 === 0) tx.put('node', id, node(2))
  tx.put('node', '58', node(3))
  tx.delete('node', '2')
  await tx.commit()
  const [item] = given
  expect(item?.puts?.map(({ id, expect: version }) => `${id} ${version}`)).toEqual([
    '0 1',
    ...ids.slice(4).flatMap((id) => (Number(id) % 2 === 0 ? [`${id} 0`] : [])),
  ])
  expect(item?.puts?.at(-1)?.data).toBe(encodeRow(node(3)))
  expect(item?.checks?.map(({ id }) => id)).toEqual(['1', '2', ...ids.slice(3).filter((id) => Number(id) % 2 === 1)])
})

test('a time is rounded up to whole milliseconds, an absent one stays absent, and tags are written only if there are some', async () => {
  const { begin, given } = world()
  const tx = begin()
  tx.put('node', 'a', node(1), { due: 7.2, tags: ['x'] })
  tx.put('node', 'b', node(1), { due: null, tags: [] })
  tx.put('node', 'c', node(1))
  await tx.commit()
  const data = encodeRow(node(1))
  expect(given[0]?.puts).toEqual([
    { kind: 'node', id: 'a', data, due: 8, tags: ['x'] },
    { kind: 'node', id: 'b', data, due: null },
    { kind: 'node', id: 'c', data },
  ])
})

test.each([
  ['a put', (tx: Transaction) => tx.put('node', 'a', node(1))],
  ['a delete', (tx: Transaction) => tx.delete('node', 'a')],
  ['an event', (tx: Transaction) => tx.event({ type: 'content', text: 'x' } as never)],
])('%s makes a transaction dirty', async (_what, change) => {
  const { begin, given } = world()
  const tx = begin()
  expect(tx.dirty).toBe(false)
  change(tx)
  expect(tx.dirty).toBe(true)
  await tx.commit()
  expect(given).toHaveLength(1)
})

test('a transaction that only reads needs no commit, and its callbacks still run afterwards', async () => {
  const { begin, given, store } = world()
  const told: string[] = []
  const reading = begin()
  await reading.read(['node', 'a'])
  reading.committed(() => void told.push('read'))
  await reading.commit()
  expect([given, told]).toEqual([[], ['read']])
  const losing = begin()
  await losing.read(['node', 'a'])
  losing.put('node', 'a', node(1))
  losing.committed(() => void told.push('lost'))
  await store.commit({ partition: 'p', puts: [{ kind: 'node', id: 'a', data: encodeRow(node(9)) }] })
  await expect(losing.commit()).rejects.toBeInstanceOf(Conflict)
  expect(told).toEqual(['read'])
})

test('a row that changed between two reads conflicts at the second read, also if other partitions did not change', async () => {
  const { begin, write } = world()
  const tx = begin()
  await tx.read(['node', 'a'], ['node', 'x', 'q'])
  await tx.read(['node', 'a'], ['node', 'x', 'q'])
  await write('a', 1)
  await expect(tx.read(['node', 'a'])).rejects.toBeInstanceOf(Conflict)
})

test('a row from a list is checked as if it had been read', async () => {
  const { begin, write, stored } = world()
  await write('a', 1)
  const row = await stored('a')
  if (!row) throw new Error('no row')
  await write('a', 2)
  const tx = begin()
  expect(tx.adopt('node', row)).toEqual(node(1))
  tx.put('node', 'a', node(3))
  await expect(tx.commit()).rejects.toBeInstanceOf(Conflict)
})

test('known rows are not read if all of them are known, and the commit detects outdated ones', async () => {
  const { begin, write, asked, stored } = world()
  await write('a', 1)
  const row = (await stored('a')) ?? null
  const rows = new Map([
    ['a', row],
    ['b', null],
  ])
  const known = { now: 7, find: (_kind: string, id: string) => rows.get(id) }
  const tx = begin(known)
  expect(await tx.read(['node', 'a'], ['node', 'b'])).toEqual([node(1), null])
  expect([asked, tx.now]).toEqual([[], 7])
  await tx.read(['node', 'a'], ['node', 'c'])
  expect(asked).toEqual([['p node a', 'p node c']])
  asked.length = 0
  // Of another partition nothing is known.
  await begin(known).read(['node', 'a', 'q'])
  expect(asked).toEqual([['q node a']])
  const late = begin(known)
  await late.read(['node', 'a'])
  late.put('node', 'a', node(3))
  await write('a', 2)
  await expect(late.commit()).rejects.toBeInstanceOf(Conflict)
})

describe('the rows that a commit leaves in memory', () => {
  async function left() {
    const room = world()
    await room.write('a', 1)
    const tx = room.begin()
    await tx.read(['node', 'a'], ['node', 'gone'])
    tx.assumeNone('node', 'random')
    tx.put('node', 'random', node(1))
    await tx.commit()
    room.asked.length = 0
    return { ...room, known: tx.rowsAfterCommit('node', 'random') }
  }

  test('are used without a read, and the next commit checks them together with their anchor', async () => {
    const { begin, known, asked, given, stored } = await left()
    const tx = begin(known)
    expect(await tx.read(['node', 'a'], ['node', 'gone'])).toEqual([node(1), null])
    tx.put('node', 'a', node(2))
    await tx.commit()
    expect(asked).toEqual([])
    expect(given.at(-1)?.checks).toEqual([
      { kind: 'node', id: 'random', version: 1 },
      { kind: 'node', id: 'gone', version: 0 },
    ])
    expect((await stored('a'))?.version).toBe(2)
  })

  test('conflict with rows of the same version that were written after an erasure', async () => {
    const { begin, known, store, write, stored } = await left()
    await store.erase('p')
    await write('a', 7)
    const tx = begin(known)
    await tx.read(['node', 'a'], ['node', 'gone'])
    tx.put('node', 'a', node(2))
    await expect(tx.commit()).rejects.toThrow(Conflict)
    expect((await stored('a'))?.data).toBe(encodeRow(node(7)))
  })

  test('are not used without their anchor, and other rows are read', async () => {
    const { begin, known, asked } = await left()
    expect(begin(known).rowsAfterCommit('node', 'a')).toBeUndefined()
    await begin(known).read(['node', 'a'], ['node', 'other'])
    expect(asked).toEqual([['p node a', 'p node other']])
  })
})

test('a commit whose acknowledgment was lost is reported as one that may have happened', async () => {
  const { store } = world()
  const told: string[] = []
  const begin = (changes: Partial<Store> = {}) =>
    new Transaction(
      {
        store: { ...store, ...changes },
        keepMs: 50,
        wrote: (_partition, written) => told.push(...written.map(({ id }) => id)),
      },
      'p',
    )
  const tx = begin({ commit: () => Promise.reject(new Error('lost')) })
  tx.put('node', 'a', node(1))
  await expect(tx.commit()).rejects.toThrow('lost')
  expect(told).toEqual(['a'])
  const conflict = begin()
  await conflict.read(['node', 'b'])
  await store.commit({ partition: 'p', puts: [{ kind: 'node', id: 'b', data: encodeRow(node(1)) }] })
  conflict.put('node', 'b', node(2))
  await expect(conflict.commit()).rejects.toThrow(Conflict)
  expect(told).toEqual(['a'])
})
