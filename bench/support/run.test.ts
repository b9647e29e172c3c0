import { expect, test } from 'vitest'
import type { Result } from './result.ts'
import { circumstances, merged, type Ran, type Run } from './run.ts'

const machine = { model: 'Abacus', cpus: 2, memoryGiB: 8, system: 'linux x64', node: 'v24.0.0' }
const result: Result = { id: 'a', scenario: 's', figure: 'f', unit: '', better: 'lower', value: 2 }
const ran = (bench: string, more: Partial<Ran> = {}): Ran => ({
  bench,
  date: '2026-11-18T10:00:00Z',
  seconds: 1,
  busy: 0,
  results: [result],
  ...more,
})
const run = (...benches: Ran[]): Run => ({ machine, benches })

test('the new result of a bench replaces its old one, and others stay in order without their rows', () => {
  const again = ran('b/b', { seconds: 2, rows: { title: [{ a: 1 }] } })
  const { benches } = merged(run(ran('c/c'), ran('b/b')), run(again, ran('a/a')))
  expect(benches.map(({ bench, seconds }) => [bench, seconds])).toEqual([
    ['a/a', 1],
    ['b/b', 2],
    ['c/c', 1],
  ])
  expect(benches.every((one) => !('rows' in one))).toBe(true)
})

test('results of another machine are dropped', () => {
  const other = { ...machine, cpus: 64 }
  expect(merged({ machine: other, benches: [ran('c/c')] }, run(ran('a/a'))).benches).toHaveLength(1)
  expect(merged(undefined, run(ran('a/a'))).machine).toEqual(machine)
})

test('the circumstances of a run name the machine and the dates, and whether other processes were busy', () => {
  const quiet = '2 cores, 8 GiB, linux x64, Node v24.0.0, 2026-11-18.'
  expect(circumstances(run(ran('a/a', { busy: 0.1 })))).toBe(quiet)
  const later = circumstances(run(ran('a/a'), ran('b/b', { busy: 1.4, date: '2026-11-20T10:00:00Z' })))
  expect(later).toContain('2026-11-18 to 2026-11-20')
  expect(later).toContain('up to 1.4 of the processors busy')
})
