import { HoldpointError, type HoldpointErrorCode } from '@holdpoint/core'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { faultyStore } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { systemEnvironment } from '../../base/environment.ts'
import { encodeRow } from './row-codec.ts'
import { isTransient, transact } from './transact.ts'

const away = (code: HoldpointErrorCode = 'store_unavailable') => new HoldpointError(code, 'away')

/** A store whose commits come out as told, and timers that ring at once and say for how long they were set. */
function world(outcomes: (Error | 'conflict' | 'done but unanswered')[] = []) {
  const inner = memoryStore()
  const pauses: number[] = []
  const committed: string[] = []
  let chance = 0
  let waiting = 0
  let early = 0
  const store: Store = {
    ...inner,
    async commit(item) {
      const outcome = outcomes.shift()
      if (outcome === 'conflict') return { ok: false, conflict: { kind: 'node', id: 'n' } }
      if (outcome instanceof Error) throw outcome
      const result = await inner.commit(item)
      if (outcome === 'done but unanswered') throw away()
      return result
    },
  }
  const environment = {
    ...systemEnvironment(),
    setTimeout(callback: () => void, ms: number) {
      pauses.push(ms)
      waiting++
      setImmediate(() => {
        waiting--
        callback()
      })
    },
    randomBytes: (length: number) => new Uint8Array(length).fill(chance),
  }
  let tries = 0
  const write = () =>
    transact(
      { store, environment, keepMs: 0, onCommit: (partition) => void committed.push(partition) },
      'p',
      async (tx) => {
        tries++
        if (waiting > 0) early++
        tx.put('node', 'n', { until: tries })
        return tries
      },
    )
  const setChance = (byte: number) => {
    chance = byte
  }
  return { store: inner, environment, pauses, committed, write, setChance, tries: () => tries, early: () => early }
}
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

test('a conflict is retried at once, and after the fifth time after growing pauses up to a limit', async () => {
  const { write, pauses, committed, setChance, early } = world(times(30, 'conflict' as const))
  setChance(255)
  expect(await write()).toBe(31)
  expect(pauses).toEqual([...[6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19], ...times(11, 20)])
  expect([committed, early()]).toEqual([['p'], 0])
})

test('conflicting writers wait for different times, at least half of the pause', async () => {
  const soon = world(times(6, 'conflict' as const))
  await soon.write()
  expect(soon.pauses).toEqual([3])
  const later = world(times(6, 'conflict' as const))
  later.setChance(128)
  await later.write()
  expect(later.pauses).toEqual([5])
})

test('two hundred conflicts are retried, and one more rejects with store_contention', async () => {
  expect(await world(times(200, 'conflict' as const)).write()).toBe(201)
  const tight = world(times(201, 'conflict' as const))
  await expect(tight.write()).rejects.toMatchObject({ code: 'store_contention', details: { partition: 'p' } })
  expect(tight.committed).toEqual([])
})

test('an unavailable store is retried four times with growing pauses, and then its error rejects', async () => {
  const back = world(times(4, away()))
  back.setChance(255)
  expect(await back.write()).toBe(5)
  expect([back.pauses, back.early()]).toEqual([[50, 100, 200, 400], 0])
  const gone = world(times(5, away('store_busy')))
  await expect(gone.write()).rejects.toMatchObject({ code: 'store_busy' })
  expect([gone.tries(), gone.committed]).toEqual([5, []])
})

test('a commit whose acknowledgment was lost is decided again', async () => {
  const { write, store } = world(['done but unanswered'])
  expect(await write()).toBe(2)
  const { rows } = await store.load([{ partition: 'p', kind: 'node', id: 'n' }])
  expect(rows[0]).toMatchObject({ version: 2, data: encodeRow({ until: 2 }) })
})

test('any other error is not retried', async () => {
  const { write, tries } = world([away('store_full')])
  await expect(write()).rejects.toMatchObject({ code: 'store_full' })
  expect(tries()).toBe(1)
})

test('a transaction that only reads commits nothing, and notifies no subscriber', async () => {
  const { store, environment, committed } = world()
  const deps = { store, environment, keepMs: 0, onCommit: (partition: string) => void committed.push(partition) }
  expect(await transact(deps, 'p', (tx) => tx.read(['node', 'n']))).toEqual([null])
  expect(committed).toEqual([])
})

test('known rows are used for one attempt, and after a conflict or failure rows are read', async () => {
  const { store, environment } = world()
  await store.commit({ partition: 'p', puts: [{ kind: 'node', id: 'n', data: encodeRow({ until: 1 }) }] })
  const known = { now: 0, find: () => null }
  const seen: unknown[] = []
  await transact(
    { store, environment, keepMs: 0 },
    'p',
    async (tx) => {
      const [node] = await tx.read(['node', 'n'])
      seen.push(node)
      tx.put('node', 'n', { until: 2 })
    },
    known,
  )
  expect(seen).toEqual([null, { until: 1 }])
  let tries = 0
  const failing = async (tx: { read(ref: ['node', string]): Promise<unknown> }) => {
    if (++tries === 1) throw away()
    return await tx.read(['node', 'n'])
  }
  expect(await transact({ store, environment, keepMs: 0 }, 'p', failing as never, known)).toEqual([{ until: 2 }])
})

test.each([
  [away(), true],
  [away('store_busy'), true],
  [away('store_full'), false],
  [new Error('store_busy'), false],
])('%s is transient: %s', (error, expected) => {
  expect(isTransient(error)).toBe(expected)
})

const environment = systemEnvironment()

describe('a transaction', () => {
  const deps = () => ({ store: faultyStore(memoryStore()), environment, keepMs: 1_000 })
  const run = { runId: 'r', status: 'running' as const, waiting: {} }

  test('decides again if a row that it read was changed, even if it only read it', async () => {
    const { store, ...rest } = deps()
    let tries = 0
    await transact({ store, ...rest }, 'p', async (tx) => {
      const [seen] = await tx.read(['run', 'r'])
      if (++tries === 1) await transact({ store, ...rest }, 'p', async (other) => other.put('run', 'r', run))
      tx.put('idle', 'copy', seen ?? { ...run, runId: 'nothing there' })
    })
    const [copy] = await transact({ store, ...rest }, 'p', (tx) => tx.read(['idle', 'copy']))
    expect([tries, copy?.runId]).toEqual([2, 'r'])
  })
  test('loses no update of two hundred at once', async () => {
    const shared = deps()
    const count = () =>
      transact(shared, 'p', async (tx) => {
        const [node] = await tx.read(['node', 'n'])
        tx.put('node', 'n', { until: (node?.until ?? 0) + 1 })
      })
    await Promise.all(Array.from({ length: 200 }, count))
    const [node] = await transact(shared, 'p', (tx) => tx.read(['node', 'n']))
    expect(node?.until).toBe(200)
  })
  test('rejects with store_contention if it conflicts again and again', async () => {
    const shared = deps()
    const overtaken = transact(shared, 'p', async (tx) => {
      const [node] = await tx.read(['node', 'n'])
      await transact(shared, 'p', async (other) => other.put('node', 'n', { until: Math.random() }))
      tx.put('node', 'n', { until: (node?.until ?? 0) + 1 })
    })
    await expect(overtaken).rejects.toMatchObject({ code: 'store_contention' })
  })
})
