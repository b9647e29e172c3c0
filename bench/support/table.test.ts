import { expect, test } from 'vitest'
import type { Result } from './result.ts'
import type { Ran } from './run.ts'
import { markdownTable, number } from './table.ts'

const cpu: Result = {
  id: 'cpu',
  scenario: '1 event → 1,000 clients',
  figure: 'CPU a delivery',
  unit: '× write()',
  better: 'lower',
  value: 1.65,
  spread: [1.55, 1.67],
  target: 1.7,
  limit: { name: 'write()', value: 1 },
  peers: [
    { name: 'hono', version: '4.13.18', value: 4.96 },
    { name: 'ws', version: '8.23.0', value: 1.59 },
  ],
  why: 'never shown while the target is met',
}
const ran = { date: '2026-11-18T10:00:00Z', seconds: 1, busy: 0, about: '', rows: {} }
const lines = (...benches: Ran[]) => markdownTable(benches).split('\n').slice(2)

test('a table row has the figure, its target, the limit, other figures from the best, and whether the target is met', () => {
  expect(lines({ ...ran, bench: 'fanout/fanout', results: [cpu] })).toEqual([
    '| 1 event → 1,000 clients | CPU a delivery | 1.65 × write() (1.55 to 1.67) | ≤ 1.7 | write(): 1 | ws 8.23.0: 1.59, hono 4.13.18: 4.96 | yes |',
  ])
})

test('a missed target shows its reason, if there is one', () => {
  const missed = { ...cpu, value: 2, why: 'two | of them' }
  const { why: _, ...unexplained } = missed
  const [first = '', second = ''] = lines({ ...ran, bench: 'a/b', results: [missed, unexplained] })
  expect(first).toMatch(/ no: two \\\| of them \|$/)
  expect(second).toMatch(/ no \|$/)
})

test('a scenario is named in its first row, and a row without target, limit and comparison has empty cells', () => {
  const plain: Result = { id: 'x', scenario: cpu.scenario, figure: 'wall', unit: 'ms', better: 'lower', value: 12 }
  expect(lines({ ...ran, bench: 'a/b', results: [cpu, plain] })[1]).toBe('|  | wall | 12 ms |  |  |  |  |')
})

test('a failed bench is marked in the table, and its results up to then are kept', () => {
  const failed = { ...ran, bench: 'store/postgres-append', failed: 'Error: connect ECONNREFUSED' }
  expect(lines(failed)).toEqual(['| `store/postgres-append` | failed: Error: connect ECONNREFUSED |  |  |  |  |  |'])
  expect(lines({ ...failed, results: [cpu] })).toHaveLength(2)
})

test.each([
  [0.13412, '0.134'],
  [1.6, '1.6'],
  [20, '20'],
  [0, '0'],
  [999.6, '1,000'],
  [23_122.4, '23,122'],
])('the number %d is formatted as %s', (value, text) => {
  expect(number(value)).toBe(text)
})
