import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Ran } from '../../scripts/reporter.ts'
import { chapters } from './chapters.ts'
import { evidence } from './evidence.ts'
import { line } from './line.ts'

const security = readFileSync(join(import.meta.dirname, '../../SECURITY.md'), 'utf8')
const one = [{ title: 'One', lines: [line('X1', 'a lie', 'a look', 'is looked at')] }]
const ran = (name: string, state: Ran['state'], reason?: string): Ran => ({
  name: `[node] a.test.ts > ${name}`,
  state,
  ...(reason ? { reason } : {}),
})

test('a claim whose test passed is proven, and the table links its file', () => {
  const { proven, unproven, table } = evidence(one, [ran('a lie is looked at', 'passed')])
  expect([proven, unproven]).toEqual([1, []])
  expect(table).toContain('| X1 | a lie | a look | [a](a.test.ts) |')
})

test.each([
  ['has no test', ran('something else', 'passed'), /no test is called/],
  ['has a test that failed', ran('is looked at', 'failed'), /failed/],
  ['has a test that was skipped without a reason', ran('is looked at', 'skipped'), /no test is called/],
])('a claim that %s is a failure', (_, test, reason) => {
  const { proven, unproven, notShown } = evidence(one, [test], false)
  expect([proven, unproven, notShown]).toEqual([
    0,
    [expect.objectContaining({ reason: expect.stringMatching(reason) })],
    [],
  ])
})

test('a claim whose test was skipped with a reason is not shown, and is a failure where services are required', () => {
  const skipped = [ran('is looked at', 'skipped', 'nginx is not installed')]
  const claim = { name: 'security > X1 a lie', reason: 'not shown here: nginx is not installed' }
  expect(evidence(one, skipped, false)).toMatchObject({ proven: 0, unproven: [], notShown: [claim] })
  const reason = '“is looked at” was skipped: nginx is not installed'
  expect(evidence(one, skipped, true)).toMatchObject({ proven: 0, unproven: [{ reason }], notShown: [] })
})

test('a claim is proven if its test is skipped in one place and passes in another', () => {
  const both = [ran('on Redis > is looked at', 'skipped', 'no Redis'), ran('on SQLite > is looked at', 'passed')]
  expect(evidence(one, both, true)).toMatchObject({ proven: 1, unproven: [], notShown: [] })
})

test('every line has evidence and an id of its own, and stands in SECURITY.md as it is', () => {
  const lines = chapters.flatMap((chapter) => chapter.lines)
  expect(lines.filter((one) => one.evidence.length === 0)).toEqual([])
  expect(new Set(lines.map((one) => one.id)).size).toBe(lines.length)
  for (const { id, against, stops } of lines) {
    expect(security, 'run `npx -y pnpm@12 security`').toContain(`| ${id} | ${against} | ${stops} |`)
  }
})
