import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { bareKernel, IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import { registerUnshared } from '../../development.ts'
import { claimSession } from '../calls/claim-call.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { accessSession, may, refusal } from './authorize.ts'

describe('a refusal', () => {
  test('contains its code, its status and the remedy, and no undefined fields', () => {
    expect(refusal('expired')).toStrictEqual({
      status: 410,
      body: { error: { code: 'expired', message: expect.stringContaining('expired before this answer') } },
    })
  })
  test('contains the time to retry after, for the channel and for the client', () => {
    expect(refusal('settling', { retryAfterMs: 500 })).toStrictEqual({
      status: 409,
      body: { error: { code: 'settling', message: expect.any(String), retryAfterMs: 500 } },
      retryAfterMs: 500,
    })
  })
  test('contains the given message, or else the code', () => {
    expect(refusal('invalid_input', { message: 'Too long.' }).body).toMatchObject({ error: { message: 'Too long.' } })
    expect(refusal('internal').body).toMatchObject({ error: { message: 'internal' } })
  })
})

describe('the authorize option of the host', () => {
  const session = { tenant: '', sessionId: 'chat', userId: 'ada', createdAt: 0 }
  const asked: unknown[] = []
  const authorize = (facts: unknown) => asked.push(facts) > 0
  const kernel = { settings: { authorize } } as unknown as Kernel
  test('receives the principal, the action, the owner of the session, and the question', async () => {
    const request = { ...questionRow().request, audience: ['boss'] } as ReturnType<typeof questionRow>['request']
    expect(await may(kernel, { userId: 'eve' }, 'respond', session, questionRow({ request }))).toBe(true)
    expect(await may(kernel, { userId: 'eve' }, 'read', session)).toBe(true)
    const facts = { principal: { userId: 'eve' }, sessionId: 'chat', owner: 'ada' }
    const interaction = { interactionId: 'q1', kind: 'approval', toolName: 't', audience: ['boss'] }
    expect(asked).toStrictEqual([
      { ...facts, action: 'respond', interaction },
      { ...facts, action: 'read' },
    ])
  })
})

test('an unknown session and a forbidden one have the same response, and only the log distinguishes them', async () => {
  const { kernel, partition, logged } = bareKernel()
  expect(await accessSession(kernel, { userId: 'ada' }, 'chat', 'read')).toBeNull()
  await kernel.transact(partition, async (tx) => claimSession(tx, { identity: IDENTITY }, null))
  expect(await accessSession(kernel, { userId: 'eve' }, 'chat', 'respond')).toBeNull()
  expect(await accessSession(kernel, { userId: 'ada' }, 'chat', 'read')).toEqual({
    tenant: '',
    sessionId: 'chat',
    userId: 'ada',
  })
  expect(logged).toEqual([
    ['debug', 'refused: unknown session', { sessionId: 'chat', action: 'read' }],
    ['info', 'refused: not allowed', { sessionId: 'chat', action: 'respond', userId: 'eve' }],
  ])
})

test('a session that exists only in the memory store of another instance is rejected with memory_store_not_shared', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  onTestFinished(() => void vi.unstubAllEnvs())
  const [one, other] = [bareKernel(), bareKernel()]
  for (const { kernel } of [one, other]) onTestFinished(registerUnshared(kernel))
  await other.kernel.transact(other.partition, async (tx) => claimSession(tx, { identity: IDENTITY }, null))
  const refused = accessSession(one.kernel, { userId: 'ada' }, 'chat', 'read')
  await expect(refused).rejects.toMatchObject({ code: 'memory_store_not_shared' })
  expect(await accessSession(one.kernel, { userId: 'ada' }, 'nowhere', 'read')).toBeNull()
})
