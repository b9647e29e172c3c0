import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chapters } from './chapters.ts'
import { evidence } from './evidence.ts'
import { line } from './line.ts'

const security = readFileSync(join(import.meta.dirname, '../../SECURITY.md'), 'utf8')
const one = [{ title: 'One', lines: [line('X1', 'a lie', 'a look', 'is looked at')] }]
const ran = (name: string, state: 'passed' | 'failed' | 'skipped') => [{ name: `[node] a.test.ts > ${name}`, state }]

test('a claim whose test passed is proven, and the table leads to its file', () => {
  const { proven, unproven, table } = evidence(one, ran('a lie is looked at', 'passed'))
  expect([proven, unproven]).toEqual([1, []])
  expect(table).toContain('| X1 | a lie | a look | [a](a.test.ts) |')
})

test('a claim without a test, with one that failed, or with one that CI skipped is not', () => {
  expect(evidence(one, ran('something else', 'passed')).unproven).toMatchObject([
    { reason: expect.stringMatching(/no test is called/) },
  ])
  expect(evidence(one, ran('is looked at', 'failed')).unproven).toMatchObject([
    { reason: expect.stringMatching(/failed/) },
  ])
  expect(evidence(one, ran('is looked at', 'skipped'), true).unproven).toMatchObject([
    { reason: expect.stringMatching(/was skipped/) },
  ])
  expect(evidence(one, ran('is looked at', 'skipped'), false).unproven).toEqual([])
})

test('every line has evidence and an id of its own, and stands in SECURITY.md as it is', () => {
  const lines = chapters.flatMap((chapter) => chapter.lines)
  expect(lines.filter((one) => one.evidence.length === 0)).toEqual([])
  expect(new Set(lines.map((one) => one.id)).size).toBe(lines.length)
  for (const { id, against, stops } of lines) {
    expect(security, 'run the tests, then `pnpm security`').toContain(`| ${id} | ${against} | ${stops} |`)
  }
})
