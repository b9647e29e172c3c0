import { expect, test } from 'vitest'
import { listedPages, logPages, rowsOf, taggedPages } from './every-page.ts'
import { memoryStore } from './memory/index.ts'

const names = Array.from({ length: 6 }, (_, nth) => `row${nth}`)

async function filled() {
  const store = memoryStore()
  const puts = names.map((id) => ({ kind: 'k', id, data: '1', tags: ['t'] }))
  await store.commit({ partition: 'p', puts, events: names.map((name) => JSON.stringify(name)) })
  return store
}

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

test.each([1, 2, 3, 4, 6, 7])('all rows are read once with pages of %d, by tag and by kind', async (limit) => {
  const store = await filled()
  expect(ids(await rowsOf(taggedPages(store, 't', limit))).sort()).toEqual(names)
  expect(ids(await rowsOf(listedPages(store, 'p', 'k', { limit })))).toEqual(names)
  expect(ids(await rowsOf(listedPages(store, 'p', 'k', { limit, after: 'row3' })))).toEqual(['row4', 'row5'])
})

test.each([1, 4, 6, 7])(
  'all events of a log are read once with pages of %d, and none is read after the head',
  async (limit) => {
    const store = await filled()
    let reads = 0
    const counted = {
      ...store,
      readLog: (...args: Parameters<typeof store.readLog>) => {
        reads++
        return store.readLog(...args)
      },
    }
    const found: string[] = []
    for await (const { events } of logPages(counted, 'p', limit))
      found.push(...events.map(({ json }) => JSON.parse(json)))
    expect([found, reads]).toEqual([names, Math.ceil(names.length / limit)])
  },
)

test('an empty list and an empty log are one empty page', async () => {
  const store = memoryStore()
  expect(await rowsOf(taggedPages(store, 't'))).toEqual([])
  expect(await rowsOf(listedPages(store, 'p', 'k'))).toEqual([])
  for await (const { events } of logPages(store, 'p')) expect(events).toEqual([])
})
