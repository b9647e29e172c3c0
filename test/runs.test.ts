import { expect, test } from 'vitest'
import type { Skip, Tally } from '../scripts/reporter.ts'
import { filesToRepeat, filesWithoutService, mergeRuns, reportSkips, settleRepeats } from '../scripts/runs.ts'

const skip = (title: string, reason: string, needsService?: string): Skip => ({
  name: `[node] ${needsService ?? 'other.test.ts'} > ${title}`,
  reason,
  ...(needsService ? { needsService } : {}),
})
const first: Tally = {
  ran: [
    { name: '[node] a.test.ts > works', state: 'passed' },
    { name: '[node] redis.test.ts > connects', state: 'skipped', reason: 'no Redis' },
    { name: '[node] redis.test.ts > parses', state: 'failed' },
  ],
  failed: [{ name: '[node] redis.test.ts > parses', reason: 'boom' }],
  skipped: [skip('connects', 'no Redis', 'redis.test.ts'), skip('mounts', 'not root')],
}

test('a second run repeats the files that lacked a service, and no others', () => {
  expect(filesWithoutService(first)).toEqual(['redis.test.ts'])
})

test('the results of the second run replace the first, but a failure of the first run stays', () => {
  const again: Tally = {
    ran: ['connects', 'parses'].map((title) => ({ name: `[node] redis.test.ts > ${title}`, state: 'passed' })),
    failed: [],
    skipped: [],
  }
  const both = mergeRuns(first, again, ['redis.test.ts'])
  expect(both.ran.map(({ state }) => state)).toEqual(['passed', 'passed', 'passed'])
  expect(both.failed).toEqual(first.failed)
  expect(both.skipped).toEqual([first.skipped[1]])
})

const passing: Tally = { ran: [{ name: '[node] redis.test.ts > parses', state: 'passed' }], failed: [], skipped: [] }

test('up to three files that failed are run again, and none if more failed or the build broke', () => {
  const failing = (...names: string[]): Tally => ({ ...first, failed: names.map((name) => ({ name, reason: 'boom' })) })
  expect(filesToRepeat(first)).toEqual(['redis.test.ts'])
  expect(filesToRepeat(failing(...'abcd'.split('').map((file) => `[node] ${file}.test.ts > works`)))).toEqual([])
  expect(filesToRepeat(failing('[node] a.test.ts > works', 'build'))).toEqual([])
})

test('a failure that does not return is reported as unstable', () => {
  const settled = settleRepeats(first, [passing, passing, passing], ['redis.test.ts'])
  expect([settled.failed, settled.unstable]).toEqual([[], first.failed])
  expect(settled.ran.map(({ state }) => state)).toEqual(['passed', 'passed'])
})

test('a failure that returns once stays, and so does one that was not repeated', () => {
  const repeats: [Tally[], string[]][] = [
    [[passing, first], ['redis.test.ts']],
    [[], []],
  ]
  for (const [runs, files] of repeats) {
    const settled = settleRepeats(first, runs, files)
    expect([settled.failed[0], settled.unstable]).toEqual([first.failed[0], undefined])
  }
})

test('the report names one skipped test by its title, and many with one reason by their files', () => {
  const many = ['a', 'b'].map((title) => skip(title, 'no Redis', 'redis.test.ts'))
  expect(reportSkips([...many, skip('mounts', 'not root')])).toEqual([
    'skipped: 2 tests: no Redis',
    '         [node] redis.test.ts: 2',
    'skipped: [node] other.test.ts > mounts',
    '         not root',
  ])
})
