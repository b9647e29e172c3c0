import { expect, test } from 'vitest'
import { createStore, type Driver } from './driver.ts'

/** A database whose responses a test controls, to test when `close` may end. */
function slow() {
  const said: string[] = []
  let answer = () => {}
  const driver = {
    name: 'slow',
    shared: false,
    open: async () => {},
    load: async () => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      said.push('loaded')
      return { now: 1, rows: [] }
    },
    close: async () => {
      said.push('closing')
      await new Promise(setImmediate)
      said.push('closed')
    },
  } as Partial<Driver> as Driver
  return { store: createStore(driver), said, answer: () => answer() }
}

test.each([
  ['that open the database', false],
  ['of an open database', true],
])('close waits for the calls under way %s, then for the database, and does so once', async (_which, opened) => {
  const { store, said, answer } = slow()
  if (opened) await store.open()
  const loading = store.load([])
  const closing = Promise.all([store.close(), store.close()])
  await new Promise(setImmediate)
  expect(said).toEqual([])
  answer()
  await Promise.all([loading, closing])
  expect(said).toEqual(['loaded', 'closing', 'closed'])
})

test('after close nothing reaches the database', async () => {
  const { store, said } = slow()
  await store.close()
  const closed = { code: 'store_closed' }
  await expect(store.load([])).rejects.toMatchObject(closed)
  await expect(store.commit({ partition: 'p', events: ['1'] })).rejects.toMatchObject(closed)
  expect(store.subscribe(() => {})()).toBeUndefined()
  expect(said).toEqual(['closing', 'closed'])
})

test('a read without a limit returns all rows, beyond the limit of a page', async () => {
  const asked: unknown[] = []
  const driver = {
    name: 'asked',
    open: async () => {},
    list: async (...args: unknown[]) => void asked.push(args.at(-1)),
    snapshot: async (...args: unknown[]) => void asked.push(args.at(-1)),
  } as unknown as Driver
  const store = createStore(driver)
  await store.list('p', 'k')
  await store.snapshot('p', ['k'])
  await store.list('p', 'k', { limit: 3 })
  await store.snapshot('p', ['k'], { limit: 4 })
  expect(asked).toEqual([undefined, undefined, 3, 4])
})

/** A database that counts how often it is opened, and fails the first `failures` times. */
function cold(failures = 0) {
  let opened = 0
  const driver = {
    name: 'cold',
    open: async () => {
      await new Promise(setImmediate)
      if (++opened <= failures) throw new Error('away')
    },
    load: async () => ({ now: opened, rows: [] }),
    commit: async () => ({ ok: true, epoch: String(opened), firstSeq: 0, lastSeq: 0 }),
    close: async () => {},
  } as unknown as Driver
  return { store: createStore(driver), opened: () => opened }
}

test('the first calls open the database, once for all of them [R9c.2]', async () => {
  const { store, opened } = cold()
  await Promise.all([store.load([]), store.commit({ partition: 'p', events: ['1'] }), store.open(), store.load([])])
  await store.open()
  expect(opened()).toBe(1)
})

test('a call after a failed opening opens the database again', async () => {
  const { store, opened } = cold(1)
  await expect(store.commit({ partition: 'p', events: ['1'] })).rejects.toThrow('away')
  expect(await store.commit({ partition: 'p', events: ['1'] })).toMatchObject({ ok: true })
  expect(opened()).toBe(2)
})
