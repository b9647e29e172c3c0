import { describe, expect, test } from 'vitest'
import type { RowRef } from '../port.ts'
import { groupLoads } from './group-loads.ts'

const ref = (id: string): RowRef => ({ partition: 'p', kind: 'k', id })

/** Reads that a test starts, and what each was asked for. */
function world() {
  const runs: (() => void)[] = []
  const reads: string[][] = []
  const load = groupLoads(
    async (refs) => {
      reads.push(refs.map(({ id }) => id))
      if (refs.some(({ id }) => id === 'broken')) throw new Error('away')
      const rows = refs.map((one) => (one.id.startsWith('no') ? null : { ...one, version: 1, data: one.id }))
      return { now: reads.length, rows }
    },
    (run) => void runs.push(run),
  )
  const turn = () => {
    for (const run of runs.splice(0)) run()
  }
  return { load, reads, turn }
}

describe('loads of one turn', () => {
  test('share one read, and each gets its own rows in its order', async () => {
    const { load, reads, turn } = world()
    const all = Promise.all([load([ref('a'), ref('none')]), load([]), load([ref('b'), ref('a'), ref('c')])])
    turn()
    const [first, clock, last] = await all
    expect(reads).toEqual([['a', 'none', 'b', 'a', 'c']])
    expect(first.rows.map((row) => row?.data)).toEqual(['a', undefined])
    expect(clock).toEqual({ now: 1, rows: [] })
    expect(last.rows.map((row) => row?.data)).toEqual(['b', 'a', 'c'])
  })

  test('a load that is called after a read began waits for the next one', async () => {
    const { load, reads, turn } = world()
    const first = load([ref('a')])
    turn()
    const second = load([ref('a')])
    turn()
    expect([(await first).now, (await second).now]).toEqual([1, 2])
    expect(reads).toEqual([['a'], ['a']])
  })

  test('a failed read rejects each load that shared it, and no other', async () => {
    const { load, turn } = world()
    const failed = Promise.allSettled([load([ref('broken')]), load([ref('a')])])
    turn()
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const next = load([ref('a')])
    turn()
    expect((await next).rows).toHaveLength(1)
  })

  test('a read takes 500 rows at most, or one load that wants more', async () => {
    const { load, reads, turn } = world()
    const many = (count: number) => Array.from({ length: count }, (_, n) => ref(`${n}`))
    const all = Promise.all([load(many(300)), load(many(200)), load(many(1)), load(many(600))])
    turn()
    expect((await all).map(({ rows }) => rows.length)).toEqual([300, 200, 1, 600])
    expect(reads.map((ids) => ids.length)).toEqual([500, 1, 600])
  })
})
