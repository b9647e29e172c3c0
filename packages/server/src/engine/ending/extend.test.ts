import type { HoldpointOptions } from '@holdpoint/server'
import { describe, expect, test } from 'vitest'
import { bareKernel, IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import { claimSession } from '../calls/claim-call.ts'
import type { QuestionRow } from '../state/rows.ts'
import { extendQuestion } from './extend.ts'

const request = { ...questionRow().request, extendable: true, audience: ['boss'] } as QuestionRow['request']

async function asked(changes: Partial<QuestionRow> = {}, options: HoldpointOptions = {}) {
  const room = bareKernel(options)
  await room.kernel.transact(room.partition, async (tx) => {
    await tx.read(['session', 'session'])
    return claimSession(tx, { identity: IDENTITY }, null)
  })
  await room.ask({ request, ...changes })
  return {
    ...room,
    extend: async (userId = 'ada', interactionId = 'q1', sessionId = 'chat') => {
      const message = { type: 'extend_interaction' as const, clientId: 'tab', interactionId }
      const { status, body } = await extendQuestion(room.kernel, { userId }, sessionId, message)
      return status === 200 ? 'extended' : (body as { error: { code: string } }).error.code
    },
  }
}

describe('an extension', () => {
  test('adds the original timeout again, and all clients are notified', async () => {
    const { extend, clock, row, log } = await asked()
    await clock.jump(20_000)
    const until = clock.now() + 60_000
    expect(await extend()).toBe('extended')
    expect(await row('question', 'q1')).toMatchObject({ expiresAt: until })
    expect(await log()).toMatchObject([
      { type: 'interaction_updated', interactionId: 'q1', expiresAt: new Date(until).toISOString() },
    ])
  })
  test('never shortens the remaining time', async () => {
    const { extend, clock, row } = await asked({ expiresAt: 4e12 })
    expect(await extend()).toBe('extended')
    expect(await row('question', 'q1')).toMatchObject({ expiresAt: 4e12 })
    expect(clock.now()).toBeLessThan(4e12 - 60_000)
  })
  test.each([
    ['a question that is not extendable by default', { request: questionRow().request }],
    ['a question with extendable: false', { request: { ...request, extendable: false } as QuestionRow['request'] }],
    ['an answered question', { status: 'answered' as const }],
    ['an ended question', { status: 'expired' as const, outcome: { type: 'failed' as const } }],
    ['a question at its deadline', { expiresAt: Date.UTC(2030, 0, 1) }],
    [
      'a question for accounts',
      {
        kind: 'connect' as const,
        request: { type: 'auth_needed', integrations: [] } as unknown as QuestionRow['request'],
      },
    ],
  ])('is rejected for %s', async (_what, changes) => {
    const { extend, log } = await asked(changes)
    expect(await extend()).toBe('not_extendable')
    expect(await log()).toEqual([])
  })
})

describe('the right to extend a question', () => {
  test('belongs to the owner and the audience, and any other user receives not_found', async () => {
    const { extend } = await asked()
    expect(await extend('boss')).toBe('extended')
    expect(await extend('eve')).toBe('not_found')
    expect(await extend('ada', 'q1', 'another')).toBe('not_found')
    expect(await extend('ada', 'unknown')).toBe('unknown_interaction')
    expect(await extend('boss', 'unknown')).toBe('not_found')
  })
  test('does not belong to a principal who may only read, who receives forbidden', async () => {
    const { extend } = await asked({}, { security: { authorize: ({ action }) => action === 'read' } })
    expect(await extend('eve')).toBe('forbidden')
  })
})
