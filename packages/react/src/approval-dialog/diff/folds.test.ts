import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldedFiles, piecesOf } from './folds.ts'

const signs = (...runs: [string, number][]) => runs.flatMap(([sign, count]) => Array<string>(count).fill(sign))
const textOf = (lines: readonly string[]) =>
  piecesOf(lines).map(({ from, to, fold }) => `${from}-${to}${fold ? ` ${fold}` : ''}`)

test('unchanged lines are folded except for three beside each change', () =>
  expect(textOf(signs([' ', 20], ['+', 2], [' ', 20], ['-', 1], [' ', 20]))).toEqual([
    ...['0-17 unchanged', '17-25', '25-39 unchanged', '39-46', '46-63 unchanged'],
  ]))

test('a few unchanged lines stay visible', () =>
  expect(textOf(signs([' ', 6], ['+', 1], [' ', 9], ['-', 1], [' ', 6])).join()).not.toContain('unchanged'))

test('a hunk of 2,000 changed lines shows 60 and folds the rest', () =>
  expect(textOf(signs(['+', 2_000]))).toEqual(['0-60', '60-2000 rest']))

test('the parts of a hunk contain all of its lines in order, and at most 63 are visible', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('+', '-', ' '), fc.integer({ min: 1, max: 90 })), { maxLength: 12 }),
      (runs) => {
        const lines = signs(...runs)
        const pieces = piecesOf(lines)
        let at = 0
        let visible = 0
        for (const { from, to, fold } of pieces) {
          expect(from).toBe(at)
          expect(to).toBeGreaterThan(from)
          if (fold === undefined) visible += to - from
          else expect(to - from).toBeGreaterThanOrEqual(4)
          at = to
        }
        expect(at).toBe(lines.length)
        expect(visible).toBeLessThanOrEqual(63)
      },
    ),
    { numRuns: 300 },
  )
})

test('files start folded after the first screens, and the first file never does', () => {
  const file = (lines: number) => ({ hunks: [{ lines: Array<string>(lines).fill('+x') }] })
  expect(foldedFiles([file(2_000), file(1)])).toEqual([false, false])
  expect(foldedFiles(Array.from({ length: 40 }, () => file(10))).filter(Boolean)).toHaveLength(25)
})
