import { expect, test } from 'vitest'
import { rounds } from './rounds.ts'
import { median, quantile, ratios, spread } from './statistics.ts'

const hundred = Array.from({ length: 100 }, (_, n) => (n * 37) % 100)

test('a quantile is a value of the list, in any order of the list', () => {
  expect(median(hundred)).toBe(49.5)
  expect(median([3, 1, 2])).toBe(2)
  expect(quantile(hundred, 0.5)).toBe(50)
  expect(quantile(hundred, 0.99)).toBe(99)
  expect(quantile(hundred, 1)).toBe(99)
  expect(median([])).toBeNaN()
  expect(spread(hundred)).toEqual([0, 99])
})

test('a ratio is computed for each round', () => {
  expect(ratios([2, 30], [1, 10])).toEqual([2, 3])
  expect(ratios([2], [])).toEqual([Number.NaN])
})

test('the legs of a round alternate, and warm-up rounds are dropped', async () => {
  const order: string[] = []
  const leg = (name: string) => (round: number) => {
    order.push(`${name}${round}`)
    return round
  }
  const taken = await rounds(2, { a: leg('a'), b: leg('b') }, { warmUp: 1 })
  expect(order).toEqual(['a-1', 'b-1', 'b0', 'a0', 'a1', 'b1'])
  expect(taken).toEqual({ a: [0, 1], b: [0, 1] })
})
