import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import type { Answered, QuestionRow } from '../state/rows.ts'
import { enforceDeadline, enforceDeadlines, expireIn } from './expire.ts'

const MINUTE = 60_000
const answer: Answered = { answerId: 'a', digest: '', at: 1, by: { clientId: 'tab' }, action: 'approve' }

/** A question of a run that waits for it, and a record of the notifications. */
async function asked(changes: Partial<QuestionRow> = {}) {
  const room = bareKernel()
  const told: string[] = []
  room.kernel.waiters.check = (_partition, id) => void told.push(`look at ${id}`)
  room.kernel.tools.resume = async (_partition, call) => {
    told.push(`run ${call}`)
    return null
  }
  await room.put('run', 'run-1', { runId: 'run-1', status: 'awaiting_approval', waiting: { q1: 'approval' } })
  const question = await room.ask(changes)
  return { ...room, told, question, meet: () => enforceDeadline(room.kernel, room.partition, 'q1') }
}

describe('a question at its deadline', () => {
  test('expires, its run continues, and the waiter is notified', async () => {
    const { meet, clock, row, log, reported, told, question } = await asked()
    expect(await meet()).toEqual(question)
    await clock.jump(MINUTE)
    expect(await meet()).toMatchObject({ status: 'expired' })
    expect(await row('ended', 'q1')).toMatchObject({
      status: 'expired',
      outcome: { type: 'refused', outcome: 'expired' },
      endedAt: clock.now(),
    })
    expect(await row('idle', 'run-1')).toMatchObject({ status: 'running', waiting: {} })
    expect(await log()).toMatchObject([
      { type: 'interaction_closed', interactionId: 'q1', reason: 'expired' },
      { type: 'run_status', status: 'running', sessionId: 'chat' },
    ])
    expect(reported).toMatchObject([
      { type: 'timed_out', interactionId: 'q1', waitedMs: MINUTE },
      { type: 'closed', interactionId: 'q1', refusal: 'expired', waitedMs: MINUTE },
    ])
    expect(told).toEqual(['look at q1'])
    // A second look changes nothing.
    await meet()
    expect([(await log()).length, reported.length]).toEqual([2, 2])
  })

  test('runs its tool again if the call is suspended', async () => {
    const { meet, clock, told } = await asked({ waiter: 'suspended' })
    await clock.jump(MINUTE)
    await meet()
    expect(told).toEqual(['look at q1', 'run run-1/call-1'])
  })

  test('waits half a minute for a tool with onTimeout', async () => {
    const { meet, clock, row, log, reported, told } = await asked({ onTimeout: true, waiter: 'suspended' })
    await clock.jump(MINUTE)
    await meet()
    expect(await row('question', 'q1')).toMatchObject({ status: 'timing_out', lookAgainAt: clock.now() + 30_000 })
    expect(await log()).toEqual([])
    expect(reported).toMatchObject([{ type: 'timed_out', waitedMs: MINUTE }])
    expect(told).toEqual(['look at q1', 'run run-1/call-1'])
    await clock.jump(30_000)
    await meet()
    expect(await row('question', 'q1')).toMatchObject({ status: 'timing_out', lookAgainAt: clock.now() + 30_000 })
    // The timeout was reported when it happened.
    expect(reported).toHaveLength(1)
    expect(told).toHaveLength(4)
  })

  test('whose tool disappears during onTimeout expires without a second report of the timeout', async () => {
    const { meet, clock, reported } = await asked({ status: 'timing_out', waiter: 'none', lookAgainAt: 1 })
    await clock.jump(MINUTE)
    await meet()
    expect(reported.map(({ type }) => type)).toEqual(['closed'])
  })

  test('with an unclaimed answer becomes a follow-up, and its run continues', async () => {
    const { meet, row, log, store } = await asked({ status: 'answered', waiter: 'none', lookAgainAt: 1, answer })
    await meet()
    expect(await row('ended', 'q1')).toMatchObject({ outcome: { type: 'follow_up' } })
    expect(await row('idle', 'run-1')).toMatchObject({ status: 'running', waiting: {} })
    expect(await log()).toMatchObject([{ type: 'run_status', status: 'running' }])
    expect((await store.due('delivery')).rows).toHaveLength(1)
  })

  test('that was erased is ignored', async () => {
    const { meet, store, partition } = await asked()
    await store.erase(partition)
    expect(await meet()).toBeNull()
  })

  test('cancels its run if it is a question for accounts', async () => {
    const { meet, clock, row, log } = await asked({ kind: 'connect', request: slackNeeded })
    await clock.jump(MINUTE)
    await meet()
    expect(await row('idle', 'run-1')).toMatchObject({ status: 'cancelled', reason: 'auth_expired' })
    expect(await log()).toMatchObject([
      { type: 'auth_result', success: false, integrations: ['slack'], reason: 'expired' },
      { type: 'run_status', status: 'cancelled' },
    ])
  })
})

describe('enforcing deadlines', () => {
  test('covers more than one page', async () => {
    const { kernel, ask, clock, store, partition } = await asked()
    for (let n = 0; n < 205; n++) await ask({ id: `q-${n}` })
    await clock.jump(MINUTE)
    expect(await enforceDeadlines(kernel)).toBe(60_000)
    expect(await store.list(partition, 'question')).toEqual([])
  })

  test.each([
    ['after a minute at most', 10 * MINUTE, MINUTE],
    ['at the next deadline', 500, 500],
    ['after two milliseconds at least', 1, 2],
  ])('is repeated %s', async (_what, inMs, next) => {
    const { kernel, clock } = await asked({ expiresAt: Date.UTC(2030, 0, 1) + inMs })
    expect(clock.now()).toBe(Date.UTC(2030, 0, 1))
    expect(await enforceDeadlines(kernel)).toBe(next)
  })

  test.each([
    ['is left to the process that waits for it', { owner: 'another' }, 0, false],
    ['is handled by any node after half a second', { owner: 'another' }, 500, true],
    ['is not handled by another node before that', { owner: 'another' }, 499, false],
    ['is handled at once by the process that waits for it', { owner: 'own' }, 0, true],
    ['is handled by any node if no process waits inline', { waiter: 'suspended' }, 0, true],
    ['is handled by any node if no tool decides', { owner: 'another', onTimeout: false }, 0, true],
    [
      'is handled by any node if the tool is already deciding',
      { owner: 'another', status: 'timing_out', lookAgainAt: 1 },
      0,
      true,
    ],
  ] as const)('a deadline %s', async (_what, { owner, ...changes }: Partial<QuestionRow>, late, met) => {
    const { kernel, clock, row, ask } = await asked()
    const whose = owner === undefined ? {} : { owner: owner === 'own' ? kernel.incarnation : owner }
    const before = await ask({ onTimeout: true, ...changes, ...whose })
    await clock.jump(MINUTE + late)
    const next = await enforceDeadlines(kernel)
    const after = (await row('question', 'q1')) ?? (await row('ended', 'q1'))
    expect(after?.status !== before.status || after.lookAgainAt !== before.lookAgainAt).toBe(met)
    // A question that is left to another process is checked again after its head start.
    if (!met) expect(next).toBe(500)
  })
})

const slackNeeded = { type: 'auth_needed', integrations: ['slack'] } as unknown as QuestionRow['request']

test('a request for accounts that expires cancels its run and all other questions of the run', async () => {
  const { kernel, partition, ask, row, put, log, reported } = bareKernel()
  const before = await ask({ id: 'q1', kind: 'connect', request: slackNeeded })
  await ask({ id: 'q2' })
  await put('run', 'run-1', { runId: 'run-1', status: 'awaiting_auth', waiting: { q1: 'connect', q2: 'approval' } })
  const looked: string[] = []
  kernel.waiters.check = (_partition, id) => void looked.push(`${id}`)
  await kernel.transact(partition, async (tx) => {
    await tx.read(['question', 'q1'], ['ended', 'q1'])
    await expireIn(kernel, tx, before)
  })
  expect(await row('ended', 'q1')).toMatchObject({
    ...{ status: 'expired', outcome: { type: 'refused', outcome: 'expired' } },
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
