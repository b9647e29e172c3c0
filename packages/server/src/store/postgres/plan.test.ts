import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStore } from '../memory/index.ts'
import type { Commit, CommitResult } from '../port.ts'
import { type Plan, planGroup, rowKey } from './plan.ts'

const name = fc.constantFrom('p', 'q')
const id = fc.constantFrom('a', 'b', 'c')
const version = fc.integer({ min: 0, max: 3 })
const named = { kind: fc.constant('k'), id }
const item: fc.Arbitrary<Commit> = fc.record(
  {
    partition: name,
    checks: fc.array(fc.record({ ...named, version }), { maxLength: 2 }),
    puts: fc.uniqueArray(
      fc.record(
        { ...named, data: fc.json({ maxDepth: 0 }), expect: version },
        { requiredKeys: ['kind', 'id', 'data'] },
      ),
      { selector: (put) => put.id, maxLength: 2 },
    ),
    events: fc.array(fc.json({ maxDepth: 0 }), { maxLength: 2 }),
  },
  { requiredKeys: ['partition'] },
)
const withDeletes = fc.tuple(item, fc.option(fc.tuple(id, fc.option(version)))).map(([one, remove]): Commit => {
  if (!remove || one.puts?.some((put) => put.id === remove[0])) return one
  const [gone, expected] = remove
  return { ...one, deletes: [{ kind: 'k', id: gone, ...(expected !== null && { expect: expected }) }] }
})

/** Executes a plan like the function in the database, on a plain map of rows. */
function execute(plan: Plan, rows: Map<string, { version: number; data: string }>, heads: Map<string, number>) {
  const of = (row: Plan['rows'][number]) => rowKey(row.part.name, row.kind, row.id)
  const wrong = plan.rows.some((row) => row.want !== undefined && row.want !== (rows.get(of(row))?.version ?? 0))
  if (wrong) return undefined
  const before = plan.parts.map((part) => ({ epoch: 'e', head: heads.get(part.name) ?? 0 }))
  for (const row of plan.rows) {
    if (row.wiped) rows.delete(of(row))
    if (row.put) rows.set(of(row), { version: (rows.get(of(row))?.version ?? 0) + row.grew, data: row.put.data })
  }
  for (const part of plan.parts) heads.set(part.name, (heads.get(part.name) ?? 0) + part.events.length)
  return plan.results(before)
}

const ends = (result: CommitResult) => (result.ok ? [result.firstSeq, result.lastSeq] : result)

test('a group decided at once has the same result as its commits one after another', async () => {
  let blind = 0
  let wrong = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(withDeletes, { maxLength: 6 }),
      fc.array(withDeletes, { maxLength: 8 }),
      async (first, group) => {
        const reference = memoryStore()
        const rows = new Map<string, { version: number; data: string }>()
        const heads = new Map<string, number>()
        for (const batch of [first, group]) {
          const expected: CommitResult[] = []
          for (const one of batch) expected.push(await reference.commit(one))
          const known = new Map([...rows].map(([key, row]) => [key, row.version]))
          const believed = planGroup(batch)
          if (!believed) blind++
          let results = believed && execute(believed, rows, heads)
          if (believed && !results) wrong++
          results ??= execute(planGroup(batch, known), rows, heads)
          expect(results?.map(ends)).toEqual(expected.map(ends))
        }
        for (const partition of ['p', 'q']) {
          const found = (await reference.list(partition, 'k')).map((row) => [row.id, row.version, row.data])
          const ours = [...rows].filter(([key]) => key.startsWith(`${partition}\0`))
          expect(ours.map(([key, row]) => [key.split('\0')[2], row.version, row.data]).sort()).toEqual(found)
          expect(heads.get(partition) ?? 0).toBe((await reference.readLog(partition, { from: 1, limit: 1 })).head)
        }
      },
    ),
    { numRuns: 1_500, seed: 3 },
  )
  // Both paths must have been taken, or this test proves too little.
  expect(blind).toBeGreaterThan(20)
  expect(wrong).toBeGreaterThan(20)
})

test('partitions are locked in the order of their bytes, whatever the order of the commits', () => {
  const names = ['b', 'a', '\u{1f600}', '\u{ffee}', 'B']
  const plan = planGroup(names.map((partition) => ({ partition, events: ['1'] })))
  expect(plan?.parts.map((part) => part.name)).toEqual(['B', 'a', 'b', '\u{ffee}', '\u{1f600}'])
})

test.each<[string, Partial<Commit>, { create: boolean; touched: boolean }]>([
  ['an event', { events: ['1'] }, { create: true, touched: true }],
  ['a row', { puts: [{ kind: 'k', id: 'a', data: '1' }] }, { create: true, touched: true }],
  ['a row that is deleted', { deletes: [{ kind: 'k', id: 'a' }] }, { create: false, touched: true }],
  ['a read', { checks: [{ kind: 'k', id: 'a', version: 0 }] }, { create: false, touched: false }],
])('%s: the plan states whether the partition is created and whether it changes', (_what, commit, expected) => {
  const plan = planGroup([{ partition: 'p', ...commit }])
  expect(plan?.parts.map(({ create, touched }) => ({ create, touched }))).toEqual([expected])
})
