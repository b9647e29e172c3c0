import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { seedOr } from './seeded.ts'

const FIXED = 20_316

test('a property tries the same values in each run', () => {
  const tried = () => {
    const values: number[] = []
    fc.assert(fc.property(fc.integer(), (value) => void values.push(value)))
    return values
  }
  const values = tried()
  expect(values).toEqual(tried())
  expect(values).toEqual(fc.sample(fc.integer(), { seed: seedOr(FIXED), numRuns: values.length }))
})

test('`HOLDPOINT_SEED` replaces the seed of a random test', () => {
  vi.stubEnv('HOLDPOINT_SEED', '')
  expect(seedOr(FIXED)).toBe(FIXED)
  vi.stubEnv('HOLDPOINT_SEED', '42')
  expect(seedOr(FIXED)).toBe(42)
})
