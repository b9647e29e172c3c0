import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explained } from './explained.ts'
import { choose, mutantsOf } from './mutants.ts'
import { rooms } from './rooms.ts'

const ROOT = join(import.meta.dirname, '../..')

test('a guard is removed and each half of a condition is dropped, and nothing else is touched', () => {
  const source =
    'export function f(a: number, b: number) {\n  if (a < 0) throw new Error()\n  return a > 1 && b > 1\n}\n'
  const made = mutantsOf('f.ts', source).map(
    ({ start, end, text }) => source.slice(0, start) + text + source.slice(end),
  )
  expect(made).toEqual([
    source.replace('a < 0', 'false && (a < 0)'),
    source.replace('a > 1 && b > 1', '(a > 1)'),
    source.replace('a > 1 && b > 1', '(b > 1)'),
  ])
})

test('one seed is one choice', () => {
  const all = Array.from({ length: 50 }, (_, n) => n)
  expect(choose(all, 10, 7)).toEqual(choose(all, 10, 7))
  expect(choose(all, 10, 7)).not.toEqual(choose(all, 10, 8))
  expect(new Set(choose(all, 50, 7)).size).toBe(50)
})

test('the rooms and what is explained are there', () => {
  for (const { sources, tests } of Object.values(rooms)) {
    expect(sources.some((path) => existsSync(join(ROOT, path)))).toBe(true)
    expect(tests.length).toBeGreaterThan(0)
  }
  for (const { file, was } of explained) {
    const source = readFileSync(join(ROOT, file), 'utf8')
    expect(
      mutantsOf(file, source).some((mutant) => mutant.was.startsWith(was)),
      `${file}: ${was}`,
    ).toBe(true)
  }
})
