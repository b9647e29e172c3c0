import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Ran } from '../../scripts/reporter.ts'
import { chapters } from './chapters.ts'
import { evidence } from './evidence.ts'
import { line } from './line.ts'

const ROOT = join(import.meta.dirname, '../..')
const security = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
const one = [{ title: 'One', lines: [line('X1', 'a forged request', 'a check', 1)] }]
const ran = (name: string, state: Ran['state'], reason?: string): Ran => ({
  name: `[node] a.test.ts > ${name}`,
  state,
  ...(reason ? { reason } : {}),
})

test('a claim whose test passed is proven, and the table links its file', () => {
  const { proven, unproven, table } = evidence(one, [ran('a forged request is rejected [X1.1]', 'passed')])
  expect([proven, unproven]).toEqual([1, []])
  expect(table).toContain('| X1 | a forged request | a check | [a](a.test.ts) |')
})

test.each([
  ['has no test', ran('another test [X1.11]', 'passed'), /no test carries \[X1\.1\]/],
  ['has a test that failed', ran('is rejected [X1.1]', 'failed'), /failed/],
  ['has a test that was skipped without a reason', ran('is rejected [X1.1]', 'skipped'), /no test carries/],
])('a claim that %s is a failure', (_, test, reason) => {
  const { proven, unproven, notShown } = evidence(one, [test], false)
  expect([proven, unproven, notShown]).toEqual([
    0,
    [expect.objectContaining({ reason: expect.stringMatching(reason) })],
    [],
  ])
})

test('a claim whose test was skipped with a reason is not shown, and is a failure where services are required', () => {
  const skipped = [ran('is rejected [X1.1]', 'skipped', 'nginx is not installed')]
  const claim = { name: 'security > X1 a forged request', reason: 'not shown here: nginx is not installed' }
  expect(evidence(one, skipped, false)).toMatchObject({ proven: 0, unproven: [], notShown: [claim] })
  const reason = '[X1.1] was skipped: nginx is not installed'
  expect(evidence(one, skipped, true)).toMatchObject({ proven: 0, unproven: [{ reason }], notShown: [] })
})

test('a claim is proven if its test is skipped in one place and passes in another', () => {
  const both = [
    ran('on Redis > is rejected [X1.1]', 'skipped', 'no Redis'),
    ran('on SQLite > is rejected [X1.1]', 'passed'),
  ]
  expect(evidence(one, both, true)).toMatchObject({ proven: 1, unproven: [], notShown: [] })
})

test('every line has evidence and an id of its own, and SECURITY.md contains it unchanged', () => {
  const lines = chapters.flatMap((chapter) => chapter.lines)
  expect(lines.filter((one) => one.evidence.length === 0)).toEqual([])
  expect(new Set(lines.map((one) => one.id)).size).toBe(lines.length)
  for (const { id, against, stops } of lines) {
    expect(security, 'run `npx -y pnpm@12 security`').toContain(`| ${id} | ${against} | ${stops} |`)
  }
})

test('test titles carry exactly the ids that the lines declare', () => {
  const declared = chapters.flatMap((chapter) => chapter.lines.flatMap((one) => one.evidence))
  const files = [
    'packages/*/{src,test}/**/*.test.{ts,tsx}',
    'packages/conformance/src/**/*.ts',
    '{bench,examples}/**/*.test.{ts,tsx}',
    'test/{soak,examples,strangers,journeys}/**/*.test.ts',
  ]
  const sources = globSync(files, { cwd: ROOT, exclude: (path) => path.includes('node_modules') })
  const carried = sources.flatMap(
    (file) => readFileSync(join(ROOT, file), 'utf8').match(/(?<=\[)[TNBJMFCRPG]\w{0,3}\.\d+(?=\])/g) ?? [],
  )
  expect([...new Set(carried)].sort()).toEqual(declared.sort())
})
