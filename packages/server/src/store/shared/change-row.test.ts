import { HoldpointError } from '@holdpoint/core'
import { expect, test } from 'vitest'
import { systemEnvironment } from '../../base/environment.ts'
import type { Commit, CommitResult, Row, Store } from '../port.ts'
import { type Change, changeRow, readRow } from './change-row.ts'

const REF = { partition: 'p', kind: 'k', id: 'i' }
const THERE: Row = { ...REF, version: 7, data: '"kept"' }

/** A row whose write result `commit` defines; pauses take no time and are recorded. */
function world(commit: (nth: number) => CommitResult | Error, row: Row | null = null) {
  const commits: Commit[] = []
  const pauses: number[] = []
  const store: Pick<Store, 'load' | 'commit'> = {
    load: async () => ({ now: 5, rows: [row] }),
    async commit(one) {
      const said = commit(commits.push(one))
      if (said instanceof Error) throw said
      return said
    },
  }
  const environment = {
    ...systemEnvironment(),
    // Chance: a quarter.
    randomBytes: (length: number) => new Uint8Array(length).fill(63),
    setTimeout(done: () => void, ms: number) {
      setImmediate(() => {
        pauses.push(ms)
        done()
      })
    },
  }
  const deps = { store: store as Store, environment }
  const seen: unknown[] = []
  const change = (made: Change<number, string> = { put: 1, result: 'done' }) =>
    changeRow<number, string>(deps, REF, (...found) => {
      seen.push(found)
      return made
    })
  return { commits, pauses, change, seen, store: store as Store }
}

const WRITTEN = { ok: true } as CommitResult
const OVERTAKEN = { ok: false } as CommitResult
const AWAY = new HoldpointError('store_unavailable', 'away')

test('a caller that loses two hundred races still succeeds, and one more race is a named error', async () => {
  const lucky = world((nth) => (nth <= 200 ? OVERTAKEN : WRITTEN))
  await expect(lucky.change()).resolves.toBe('done')
  const never = world(() => OVERTAKEN)
  await expect(never.change()).rejects.toMatchObject({ code: 'store_contention' })
  expect([lucky.commits.length, never.commits.length]).toEqual([201, 201])
})

test('a caller that loses repeatedly waits longer each time, randomly and up to a limit', async () => {
  const { pauses, change } = world((nth) => (nth <= 25 ? OVERTAKEN : WRITTEN))
  await change()
  const growing = Array.from({ length: 17 }, (_, n) => (n + 4) / 4)
  expect(pauses).toEqual([...growing, 5, 5, 5, 5, 5])
})

test.each(['store_unavailable', 'store_busy'] as const)(
  'a store that reports %s is tried five times with growing pauses',
  async (code) => {
    const away = new HoldpointError(code, 'away')
    const back = world((nth) => (nth <= 4 ? away : WRITTEN))
    await expect(back.change()).resolves.toBe('done')
    const gone = world(() => away)
    await expect(gone.change()).rejects.toBe(away)
    expect([back.commits.length, gone.commits.length]).toEqual([5, 5])
    expect(back.pauses).toEqual([12.5, 25, 50, 100])
  },
)

test('a permanent error is not retried, and neither is an unknown one', async () => {
  for (const error of [new HoldpointError('store_full', 'full'), new Error('away')]) {
    const { commits, change } = world(() => error)
    await expect(change()).rejects.toBe(error)
    expect(commits).toHaveLength(1)
  }
})

test('the decision receives the row, or null, and the clock of the store', async () => {
  const [there, absent] = [world(() => WRITTEN, THERE), world(() => WRITTEN)]
  for (const { change } of [there, absent]) await change()
  expect([there.seen, absent.seen]).toEqual([[['kept', 5]], [[null, 5]]])
  expect(await readRow(there.store, REF)).toEqual({ now: 5, row: 'kept' })
  expect(await readRow(absent.store, REF)).toEqual({ now: 5, row: null })
})

test.each<[string, Row | null, Change<number, string>, Partial<Commit> | null]>([
  ['a new row', null, { put: 1, result: '' }, { puts: [{ kind: 'k', id: 'i', expect: 0, data: '1', due: null }] }],
  [
    'an existing row with a due time and tags',
    THERE,
    { put: 1, due: 9, tags: ['t'], result: '' },
    { puts: [{ kind: 'k', id: 'i', expect: 7, data: '1', due: 9, tags: ['t'] }] },
  ],
  ['a row that is removed', THERE, { remove: true, result: '' }, { deletes: [{ kind: 'k', id: 'i', expect: 7 }] }],
  ['a row that is already deleted', null, { remove: true, result: '' }, null],
  ['nothing', THERE, { result: '' }, null],
])('the commit of a decision about %s', async (_, row, made, commit) => {
  const { commits, change } = world(() => WRITTEN, row)
  expect(await change(made)).toBe('')
  expect(commits).toEqual(commit ? [{ partition: 'p', ...commit }] : [])
})

test('the error of the last attempt rejects, unless it was transient', async () => {
  const full = new HoldpointError('store_full', 'full')
  await expect(world((nth) => (nth === 1 ? AWAY : full)).change()).rejects.toBe(full)
})
