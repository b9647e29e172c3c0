import { expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { ownerTag } from '../records/keys.ts'
import type { QuestionRow } from '../state/rows.ts'
import { leaveQuestion } from './abandon-question.ts'

const ORPHAN = 60_000
const answer = { answerId: 'a', digest: 'd', at: 5, by: { clientId: 'tab' }, action: 'approve' } as const

async function left(changes: Partial<QuestionRow>) {
  const bare = bareKernel({ timing: { orphanAfterMs: ORPHAN } })
  const { kernel, store, clock, ask, partition, row } = bare
  // Wait for the start-up work of the process.
  await kernel.ready()
  await clock.settle()
  await ask({ owner: kernel.incarnation, ...changes })
  await leaveQuestion(kernel, partition, 'q1')
  const kept = await row('question', 'q1')
  const [stored] = (await store.load([{ partition, kind: 'question', id: 'q1' }])).rows
  return { ...bare, kept, version: stored?.version, now: clock.now() }
}

test('an abandoned open question stays open without a waiter and an owner', async () => {
  const { kept, store, kernel, clock, row } = await left({})
  expect(kept).toMatchObject({ status: 'open', waiter: 'none' })
  expect(kept).not.toHaveProperty('owner')
  expect(kept).not.toHaveProperty('lookAgainAt')
  expect((await store.byTag(ownerTag(kernel.incarnation))).rows).toEqual([])
  // It has a deadline of its own.
  await clock.advance(ORPHAN - 1)
  expect(await row('question', 'q1')).toMatchObject({ status: 'open' })
})

test('an abandoned answered question is checked after a delay, so that a repeated call can receive its answer', async () => {
  const { kept, now, store, clock, row } = await left({ status: 'answered', answer })
  expect(kept).toMatchObject({ waiter: 'none', lookAgainAt: now + ORPHAN })
  expect((await store.due('question')).nextDue).toBe(now + ORPHAN)
  await clock.advance(ORPHAN - 1)
  expect(await row('ended', 'q1')).toBeNull()
  await clock.advance(1)
  expect(await row('ended', 'q1')).toMatchObject({ outcome: { type: 'follow_up' } })
})

test('an abandoned question whose timeout no handler decides is decided at once', async () => {
  const { kept, now, clock, row } = await left({ status: 'timing_out', lookAgainAt: 9 ** 15 })
  expect(kept).toMatchObject({ waiter: 'none', lookAgainAt: now })
  await clock.advance(0)
  expect(await row('ended', 'q1')).toMatchObject({ status: 'expired' })
})

test.each([
  ['a question that has ended', { status: 'expired', outcome: { type: 'failed' } }],
  ['a question that was abandoned before', { waiter: 'none', status: 'answered', lookAgainAt: 7 }],
] satisfies [string, Partial<QuestionRow>][])('%s is not changed by abandoning', async (_what, changes) => {
  const { kernel, partition, store } = await left(changes)
  const look = async () =>
    (await store.snapshot(partition, ['question', 'ended'])).rows.map(({ version, data }) => [version, data])
  const before = await look()
  await leaveQuestion(kernel, partition, 'q1')
  expect(await look()).toEqual(before)
  expect(before).toMatchObject([[1, expect.anything()]])
})

test('abandoning a question that does not exist has no effect', async () => {
  const { kernel, partition } = bareKernel()
  await expect(leaveQuestion(kernel, partition, 'none')).resolves.toBeUndefined()
})
