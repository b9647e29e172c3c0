import { expect, test } from 'vitest'
import type { Skip, Tally } from '../scripts/reporter.ts'
import { filesWithoutService, mergeRuns, reportSkips } from '../scripts/runs.ts'

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

test('the report names one skipped test by its title, and many with one reason by their files', () => {
  const many = ['a', 'b'].map((title) => skip(title, 'no Redis', 'redis.test.ts'))
  expect(reportSkips([...many, skip('mounts', 'not root')])).toEqual([
    'skipped: 2 tests: no Redis',
    '         [node] redis.test.ts: 2',
    'skipped: [node] other.test.ts > mounts',
    '         not root',
  ])
})
