import { expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import type { QuestionRow } from '../state/rows.ts'
import { authResultEvent, expireConnectIn } from './end-connect.ts'

const request = { type: 'auth_needed', integrations: ['slack', 'gmail'] } as unknown as QuestionRow['request']

test('the result of connecting says for which accounts, and why it failed where that is known', () => {
  const row = questionRow({ kind: 'connect', request })
  const ids = { sessionId: 's', runId: 'r', interactionId: 'q1', integrations: ['slack', 'gmail'] }
  const base = { type: 'auth_result', timestamp: '1970-01-01T00:00:00.005Z', ...ids }
  expect(authResultEvent(row, true, 5)).toStrictEqual({ ...base, success: true })
  expect(authResultEvent(row, false, 5, 'decline')).toStrictEqual({ ...base, success: false, reason: 'decline' })
})

test('without its accounts in time a run cannot go on: it ends, and every other question of it', async () => {
  const { kernel, partition, ask, row, put, log, reported } = bareKernel()
  const before = await ask({ id: 'q1', kind: 'connect', request })
  await ask({ id: 'q2' })
  await put('run', 'run-1', { runId: 'run-1', status: 'awaiting_auth', waiting: { q1: 'connect', q2: 'approval' } })
  const looked: string[] = []
  kernel.waiters.check = (_partition, id) => void looked.push(`${id}`)
  await kernel.transact(partition, async (tx) => {
    await tx.read(['question', 'q1'], ['ended', 'q1'])
    await expireConnectIn(kernel, tx, before)
  })
  expect(await row('ended', 'q1')).toMatchObject({
    ...{ status: 'expired', outcome: { type: 'refused', outcome: 'expired', reason: 'expired' } },
    response: { type: 'auth_result', success: false, reason: 'expired' },
  })
  expect(await row('ended', 'q2')).toMatchObject({ status: 'cancelled', outcome: { reason: 'auth_expired' } })
  expect(await row('idle', 'run-1')).toMatchObject({ status: 'cancelled', reason: 'auth_expired', waiting: {} })
  expect((await log()).map(({ type }) => type).sort()).toEqual(['auth_result', 'interaction_closed', 'run_status'])
  expect(reported.map((event) => `${event.type} ${'interactionId' in event && event.interactionId}`).sort()).toEqual([
    'closed q1',
    'closed q2',
    'timed_out q1',
  ])
  expect(looked.sort()).toEqual(['q1', 'q2'])
})
