import { expect, test } from 'vitest'
import { bars } from './bars.ts'
import { plot } from './plot.ts'
import type { Result } from './result.ts'

const cpu: Result = {
  id: 'cpu',
  scenario: '1 event → 1,000 clients',
  figure: 'CPU a delivery',
  unit: '× write()',
  better: 'lower',
  value: 2,
  target: 1.7,
  limit: { name: 'write()', value: 1 },
  peers: [
    { name: 'a & b', value: 4 },
    { name: 'ws', version: '8.23.0', value: 1 },
  ],
}
const widths = (drawn: string) => [...drawn.matchAll(/<rect x[^>]*width="([\d.]+)"/g)].map((found) => Number(found[1]))

test('a bar chart has bars from zero in proportion to their figures: ours, others from the best, the limit', () => {
  const [ours = 0, ...others] = widths(bars('Fan-out', [cpu]))
  expect(others.map((width) => width / ours)).toEqual([0.5, 2, 0.5])
})

test('a bar chart has a target line where a bar of that length would end', () => {
  const drawn = bars('Fan-out', [cpu])
  const [ours = 0] = widths(drawn)
  const x = Number(/<path d="M([\d.]+) /.exec(drawn)?.[1])
  const begin = Number(/<rect x="([\d.]+)"/.exec(drawn)?.[1])
  expect((x - begin) / ours).toBeCloseTo(1.7 / 2, 2)
  expect(drawn).toContain('target ≤ 1.7')
})

test('a bar chart omits a figure without a comparison, and escapes names', () => {
  const { target: _, limit: __, peers: ___, ...alone } = cpu
  const drawn = bars('<Fan-out>', [cpu, { ...alone, scenario: 'nothing beside it' }])
  expect(drawn).not.toContain('nothing beside it')
  expect(drawn).toContain('a &#38; b')
  expect(drawn).toContain('&#60;Fan-out&#62;')
  expect(drawn).not.toMatch(/NaN|undefined/)
})

test('curves are drawn on shared logarithmic axes', () => {
  const points = [10, 1_000, 100_000].map((x) => ({ x, y: x }))
  const drawn = plot('Growth', 'µs', [{ title: 'one append', xLabel: 'events', curves: [{ name: 'a', points }] }])
  const [first, second, third] = [...drawn.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => ({
    x: Number(x),
    y: Number(y),
  }))
  expect((second?.x ?? 0) - (first?.x ?? 0)).toBeCloseTo((third?.x ?? 0) - (second?.x ?? 0), 0)
  expect((first?.y ?? 0) - (second?.y ?? 0)).toBeCloseTo((second?.y ?? 0) - (third?.y ?? 0), 0)
  expect(drawn).not.toMatch(/NaN|undefined/)
})
