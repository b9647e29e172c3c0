import { shownDigest } from '@holdpoint/core/wire'
import type { HoldpointOptions } from '@holdpoint/server'
import { describe, expect, test } from 'vitest'
import { bareKernel, IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import type { Principal } from '../../base/principal.ts'
import { claimSession } from '../calls/claim-call.ts'
import { tryApprove } from '../context/approve.ts'
import { presencePartition } from '../records/keys.ts'
import { readQuestion } from '../records/question-records.ts'
import type { QuestionRow } from '../state/rows.ts'
import { answerQuestion } from './answer-question.ts'
import { settleIn } from './settle.ts'

type Message = Parameters<typeof answerQuestion>[3]
const YES = { answerId: 'a', action: 'approve' } as const
const ADA: Principal = { userId: 'ada' }
const BOSS: Principal = { userId: 'boss' }
const code = ({ status, body }: { status: number; body: unknown }) =>
  status === 200 ? (body as { status: string }).status : (body as { error: { code: string } }).error.code

/** A session with a question for which this process has no waiter. */
async function asked(changes: Partial<QuestionRow> = {}, options: HoldpointOptions = {}) {
  const room = bareKernel(options)
  const { kernel, partition } = room
  await kernel.transact(partition, async (tx) => {
    await tx.read(['session', 'session'])
    claimSession(tx, { identity: IDENTITY }, null)
  })
  await room.ask({ waiter: 'none', ...changes })
  return {
    ...room,
    async say(said: Partial<Message> = {}, principal = ADA, sessionId = 'chat') {
      const { interactionId = 'q1' } = said
      const shown = (await room.row('question', interactionId)) ?? (await room.row('ended', interactionId))
      const message = { type: 'tool_interaction_response', clientId: 'tab', callId: 'call-1', interactionId }
      const digest = { shownDigest: shown ? shownDigest(shown.request) : 'not shown' }
      return await answerQuestion(kernel, principal, sessionId, { ...message, ...YES, ...digest, ...said } as Message)
    },
  }
}
const shared = (more: object = {}) =>
  ({ request: { ...questionRow().request, audience: ['boss'], ...more } }) as Partial<QuestionRow>

describe('an answer', () => {
  test('is recorded with its sender and its content, and nothing else', async () => {
    const { say, row, clock, log, reported } = await asked()
    expect(await say()).toEqual({ status: 200, body: { status: 'accepted' } })
    const { answer, status } = (await row('question', 'q1'))!
    const by = { userId: 'ada', clientId: 'tab' }
    expect(status).toBe('answered')
    expect(answer).toStrictEqual({ ...YES, at: clock.now(), by, digest: expect.any(String) })
    expect(await log()).toMatchObject([{ type: 'interaction_response', respondedBy: by }])
    expect(reported).toMatchObject([{ type: 'answered', late: false }])
  })
  test('contains the name, scope, decisions and reason that were given', async () => {
    const { say, row } = await asked()
    const said = { approvalScope: 'session', diffDecisions: { h1: 'accept' }, reason: '' } as const
    await say(said, { ...ADA, name: 'Ada' })
    const { digest: _digest, at: _at, ...answer } = (await row('question', 'q1'))!.answer!
    expect(answer).toStrictEqual({ ...YES, ...said, by: { userId: 'ada', name: 'Ada', clientId: 'tab' } })
  })
  test('that arrives after the tool continued becomes a follow-up', async () => {
    const { say, row, store, log } = await asked({ status: 'deferred' })
    expect(code(await say())).toBe('accepted')
    expect(await row('ended', 'q1')).toMatchObject({ status: 'answered_late', answer: YES })
    expect((await store.due('delivery')).rows).toHaveLength(1)
    expect((await log()).map(({ type, late }) => `${type} ${late}`)).toContain('interaction_response true')
  })
  test('that is repeated after a lost acknowledgment counts once, and wakes a waiting tool that was not notified', async () => {
    const { say, kernel, log } = await asked()
    await say()
    const woken: unknown[] = []
    kernel.waiters.check = (_partition, id) => void woken.push(id)
    expect(await say()).toEqual({ status: 200, body: { status: 'accepted', replayed: true } })
    expect([woken, (await log()).length]).toEqual([['q1'], 1])
  })
  test.each([
    { action: 'deny' },
    { approvalScope: 'session' },
    { args: { n: 1 } },
    { diffDecisions: { h1: 'reject' } },
    { reason: 'changed my mind' },
  ] as Partial<Message>[])('is not a repeat if its content differs: %j', async (said) => {
    const { say } = await asked()
    await say()
    expect(code(await say(said))).toBe('answer_id_reused')
  })
  test('is not a repeat with another input, regardless of its secrets', async () => {
    const fields = ['name', 'pin'].map((id) => ({ id, type: id === 'pin' ? 'secret' : 'text', label: id }))
    const request = { ...questionRow().request, interactionType: 'input', inputSchema: { type: 'form', fields } }
    const { say, row } = await asked({ kind: 'input', request: request as QuestionRow['request'] })
    const fill = (name: unknown, pin: string) => say({ action: 'submit', input: { name, pin } })
    expect(code(await fill(7, '1'))).toBe('invalid_input')
    expect(await row('question', 'q1')).toMatchObject({ status: 'open' })
    expect([code(await fill('ada', '1')), code(await fill('ada', '2')), code(await fill('eve', '1'))]).toEqual([
      'accepted',
      'accepted',
      'answer_id_reused',
    ])
    const { answer } = (await row('question', 'q1'))!
    expect(answer?.input).toEqual({ name: 'ada', pin: expect.stringMatching(/^secret:/) })
  })
})

describe('an answer is refused', () => {
  test('if it is an approval or a form without the digest of what was shown, on any surface [HP-SHN-1]', async () => {
    const { say, row } = await asked()
    const reply = await say({ shownDigest: undefined })
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'invalid_message', path: 'shownDigest' } } })
    expect(code(await say({ shownDigest: undefined, action: 'submit' }))).toBe('invalid_message')
    expect(await row('question', 'q1')).toMatchObject({ status: 'open' })
    expect(code(await say({ shownDigest: undefined, action: 'deny' }))).toBe('accepted')
  })
  test('if it is the second one, with the winner and the time', async () => {
    const { say, clock, reported } = await asked()
    await say()
    const at = new Date(clock.now()).toISOString()
    const reply = await say({ answerId: 'b' })
    const respondedBy = { userId: 'ada', clientId: 'tab' }
    expect(reply.body).toMatchObject({ error: { code: 'already_answered', respondedBy, respondedAt: at } })
    expect(reply).not.toHaveProperty('retryAfterMs')
    expect(reported.at(-1)).toMatchObject({ type: 'refused', code: 'already_answered', interactionId: 'q1' })
  })
  test('with a retry delay while a timeout is being decided', async () => {
    const reply = await (await asked({ status: 'timing_out', lookAgainAt: 4e12 })).say()
    expect(reply).toMatchObject({ retryAfterMs: 500, body: { error: { code: 'settling' } } })
    for (const unknown of ['respondedBy', 'respondedAt']) expect(reply.body).not.toHaveProperty(`error.${unknown}`)
  })
  test.each([
    ['action_not_allowed', { action: 'submit' }],
    ['scope_not_offered', { approvalScope: 'always' }],
  ] as [string, Partial<Message>][])('with %s', async (refused, said) => {
    const { say, row, reported } = await asked()
    expect(code(await say(said))).toBe(refused)
    expect(await row('question', 'q1')).toMatchObject({ status: 'open' })
    expect(reported).toMatchObject([{ type: 'refused', code: refused }])
  })
  test('if it is a denial with a scope, and the message says that only approvals have one', async () => {
    const { say, row } = await asked()
    const reply = await say({ action: 'deny', approvalScope: 'session' })
    const message = 'Only an approval has a scope, and this answer is a deny. Send it without approvalScope'
    expect(reply.body).toMatchObject({
      error: { code: 'scope_not_offered', message: expect.stringContaining(message) },
    })
    expect(await row('question', 'q1')).toMatchObject({ status: 'open' })
  })
  test('at the deadline', async () => {
    const { say, clock, row } = await asked()
    await clock.jump(60_000)
    expect(code(await say())).toBe('expired')
    expect(await row('ended', 'q1')).toMatchObject({ status: 'expired' })
  })
  test('if its client switched questions off, but not a client of another user with the same id', async () => {
    const { say, put } = await asked()
    const off = { clientId: 'tab', supported: true, enabled: false, until: 4e12 }
    await put('presence', 'tab', { ...off, userId: 'eve' }, presencePartition('', 'chat'))
    expect(code(await say({ reason: 'eve’s' }))).toBe('accepted')
    const own = await asked()
    await own.put('presence', 'tab', { ...off, userId: 'ada' }, presencePartition('', 'chat'))
    expect(code(await own.say())).toBe('not_interactive')
    expect(code(await own.say({ clientId: 'another' }))).toBe('accepted')
  })
})

describe('an unauthorized user', () => {
  test('receives not_found, as for an unknown session', async () => {
    const { say } = await asked(shared())
    expect(code(await say({}, { userId: 'eve' }))).toBe('not_found')
    expect(code(await say({}, ADA, 'nowhere'))).toBe('not_found')
    expect(code(await say({}, BOSS))).toBe('accepted')
  })
  test('receives not_found for another question, also as the audience of one question', async () => {
    const { say } = await asked(shared())
    expect(code(await say({ interactionId: 'unknown' }, BOSS))).toBe('not_found')
    expect(code(await say({ callId: 'another' }, BOSS))).toBe('not_found')
    expect(code(await say({ interactionId: 'unknown' }))).toBe('unknown_interaction')
    expect(code(await say({ callId: 'another' }))).toBe('unknown_interaction')
  })
  test('who may only read cannot answer, and receives forbidden', async () => {
    const { say } = await asked({}, { security: { authorize: ({ action }) => action === 'read' } })
    expect(code(await say())).toBe('forbidden')
  })
})

describe('code that waits in this process', () => {
  const waiting = async () => {
    const room = await asked({ id: 'another' })
    const { kernel, store, clock, partition, execution } = room
    const result = tryApprove({ kernel, execution: execution(), detachSignal: undefined }, { prompt: 'Go?' })
    await clock.settle()
    const rows = (await store.list(partition, 'question')).map(({ data }) => JSON.parse(data).d as QuestionRow)
    const { id: interactionId } = rows.find(({ id }) => id !== 'another')!
    const held = () => (kernel.waiters as unknown as { held: Map<unknown, number> }).held.size
    return { ...room, result, interactionId, held }
  }
  test('continues with the answer that this process recorded', async () => {
    const { say, result, interactionId, held } = await waiting()
    expect(code(await say({ interactionId }))).toBe('accepted')
    expect(await result).toMatchObject({ outcome: 'approved' })
    expect(held()).toBe(0)
  })
  test('continues with the answer of another process if this one could not record its own', async () => {
    const { say, result, interactionId, kernel, store, partition } = await waiting()
    const commit = store.commit
    store.commit = () => Promise.reject(new Error('broken'))
    await expect(say({ interactionId })).rejects.toThrow('broken')
    store.commit = commit
    await kernel.transact(partition, async (tx) => {
      const row = (await readQuestion(tx, interactionId))!
      const answer = { answerId: 'b', digest: '', at: tx.now, by: { clientId: 'x' }, action: 'deny' as const }
      settleIn(kernel, tx, row, answer)
    })
    expect(await result).toMatchObject({ outcome: 'denied' })
  })
  test('still checks the store after an answer of this process whose commit was overtaken', async () => {
    const { say, result, interactionId, held, store } = await waiting()
    const commit = store.commit
    let overtaken = 2
    store.commit = async (item) =>
      (overtaken-- > 0 ? { ok: false } : await commit(item)) as Awaited<ReturnType<typeof commit>>
    expect(code(await say({ interactionId }))).toBe('accepted')
    expect(await result).toMatchObject({ outcome: 'approved' })
    expect(held()).toBe(0)
  })
})
