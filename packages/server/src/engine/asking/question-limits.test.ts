import { expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import type { QuestionRow } from '../state/rows.ts'
import { checkQuota } from './question-limits.ts'

const MINUTE = 60_000
const remote = 'files.example'

function world(limits = { openQuestions: 100 }) {
  const { kernel, clock, ask, partition } = bareKernel({ limits })
  let count = 0
  const check = (name?: string) =>
    kernel.transact(partition, async (tx) => {
      await tx.read(['session', 'session'])
      await checkQuota(kernel, tx, name === undefined ? {} : { remote: name })
    })
  return {
    clock,
    /** So many questions, newest first in the lists as real ids are. */
    async asked(number: number, changes: Partial<QuestionRow> = {}) {
      for (let n = 0; n < number; n++) await ask({ id: `q${String(9_999 - ++count)}`, ...changes })
    },
    async code(name?: string): Promise<unknown> {
      return await check(name).then(
        () => 'asked',
        (error: { code: string; details: { retryAfterMs: number } }) => [error.code, error.details.retryAfterMs],
      )
    },
    check,
  }
}
const over = { status: 'expired', outcome: { type: 'refused', outcome: 'expired' } } as const

test('a session has at most the allowed number of open questions, and ended ones do not count', async () => {
  const { asked, code, check } = world({ openQuestions: 3 })
  await asked(2)
  await asked(5, over)
  expect(await code()).toBe('asked')
  await asked(1, { status: 'answered' })
  expect(await code()).toEqual(['too_many_questions', 30_000])
  await expect(check()).rejects.toThrow('3 unanswered questions; the limit is 3')
})

test('a remote requester may have twenty open questions of any age, and questions of others do not count', async () => {
  const { asked, code, clock } = world()
  await asked(19, { remote })
  await asked(5, { remote: 'mail.example' })
  await asked(5, { remote, status: 'answered' })
  await clock.advance(MINUTE)
  expect(await code(remote)).toBe('asked')
  await asked(1, { remote, status: 'deferred', askedAt: 0 })
  expect(await code(remote)).toEqual(['too_many_questions', 30_000])
  expect(await code('mail.example')).toBe('asked')
  expect(await code()).toBe('asked')
})

test('a remote requester may ask ten questions a minute, whether they are open or ended', async () => {
  const { asked, code, clock } = world()
  await asked(5, { remote })
  await asked(4, { remote, ...over })
  expect(await code(remote)).toBe('asked')
  await asked(1, { remote, ...over })
  expect(await code(remote)).toEqual(['too_many_questions', MINUTE])
  expect(await code('mail.example')).toBe('asked')
  await clock.advance(MINUTE - 1)
  expect(await code(remote)).toEqual(['too_many_questions', MINUTE])
  await clock.advance(1)
  expect(await code(remote)).toBe('asked')
})

test('a question that ended more than a minute ago does not count', async () => {
  const { asked, code, clock } = world()
  await asked(10, { remote, ...over })
  await clock.advance(MINUTE)
  expect(await code(remote)).toBe('asked')
})

test.each([{}, over])('a reprompt replaces its predecessor and is not counted: %o', async (state) => {
  const { asked, code } = world()
  await asked(9, { remote })
  await asked(5, { remote, prompts: 2, ...state })
  expect(await code(remote)).toBe('asked')
})

test('a busy session is searched back one minute and no further', async () => {
  const { asked, code, clock } = world()
  // Older ones are never reached: had they been, each would count.
  await asked(10, { remote, ...over, askedAt: clock.now() - 10 })
  await asked(120, over)
  expect(await code(remote)).toEqual(['too_many_questions', MINUTE])
  expect(await code('mail.example')).toBe('asked')
  await clock.advance(MINUTE)
  expect(await code(remote)).toBe('asked')
})
