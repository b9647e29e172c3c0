import { expect, test } from 'vitest'
import { headlinePlot, headlineTable, wholeTable, withFigures } from './figures.ts'
import type { Result } from './result.ts'
import type { Run } from './run.ts'

const idle: Result = {
  id: 'idle',
  scenario: 'a client that waits',
  figure: 'memory',
  unit: 'KiB',
  better: 'lower',
  value: 12.3,
  target: 15,
  peers: [{ name: 'ws', version: '8.23.0', value: 14 }],
  why: 'never shown while the target is met',
}
const run: Run = {
  machine: { model: 'Abacus', cpus: 2, memoryGiB: 8, system: 'linux x64', node: 'v24.0.0' },
  benches: [{ bench: 'fanout/memory', date: '2026-11-18T10:00:00Z', seconds: 1, busy: 0, results: [idle] }],
}
const headline = { bench: 'fanout/memory', id: 'idle', what: 'Memory of a connected client' }

test('figures are written between their markers, and nothing else of the document changes', () => {
  const document = 'before\n<!-- figures: begin (written by x) -->\nold\n<!-- figures: end -->\nafter\n'
  const written = withFigures(document, '| $& new |')
  expect(written).toBe('before\n<!-- figures: begin (written by x) -->\n\n| $& new |\n\n<!-- figures: end -->\nafter\n')
  expect(withFigures(written, '| $& new |')).toBe(written)
  expect(() => withFigures('no markers', 'x')).toThrow('figures: begin')
})

test('a headline states the figure, its comparison, and whether its target is met', () => {
  const [, , row] = headlineTable(run, [headline]).split('\n')
  expect(row).toBe('| Memory of a connected client | 12.3 KiB | ws 8.23.0: 14 | ≤ 15: met |')
  const late = { ...run, benches: run.benches.map((one) => ({ ...one, results: [{ ...idle, value: 16 }] })) }
  expect(headlineTable(late, [headline])).toContain('| 16 KiB | ws 8.23.0: 14 | ≤ 15: missed |')
})

test('a headline without a measurement is marked', () => {
  const rows = headlineTable(run, [{ ...headline, id: 'gone' }, headline]).split('\n')
  expect(rows[2]).toBe('| Memory of a connected client | not measured yet | | |')
  expect(rows[3]).toContain('12.3 KiB')
  expect(headlinePlot(run, [{ ...headline, id: 'gone' }])).not.toContain('ws 8.23.0')
})

test('the table and the plot contain the measured figures', () => {
  expect(wholeTable(run)).toContain('| a client that waits | memory | 12.3 KiB | ≤ 15 |  | ws 8.23.0: 14 | yes |')
  expect(headlinePlot(run, [headline])).toContain('ws 8.23.0')
})
