import type { FollowUpDelivery, HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, call, open, person } from './support/world.ts'

/** The state machine, arrow by arrow, under a clock that the test moves. */
function world(options: HoldpointOptions = {}) {
  const clock = testClock()
  const followUps: FollowUpDelivery[] = []
  const results: unknown[] = []
  const holdpoint = open({
    store: memoryStore({ now: clock.now }),
    environment: clock.environment,
    ...options,
    hooks: {
      onFollowUp: (delivery) => void followUps.push(delivery),
      onToolResult: (delivery) => void results.push(delivery),
      ...options.hooks,
    },
  })
  const session = holdpoint.session('chat', ADA)
  const human = testHuman(holdpoint, ADA)
  return { clock, holdpoint, session, human, ada: person(holdpoint), followUps, results }
}
const APPROVAL = { type: 'approval', prompt: 'Go?', whenUnavailable: 'wait' } as const

describe('an open question', () => {
  test('expires after five minutes by default, or after its own timeout', async () => {
    const { clock, session, human, ada } = world()
    const refused = expect(
      session.toolCall(call()).requestInteraction({ ...APPROVAL, onResponse: () => ({ complete: 1 }) }),
    ).rejects.toMatchObject({ outcome: 'expired' })
    const question = await human.next()
    await clock.advance('4m')
    expect(await human.waiting()).toHaveLength(1)
    await clock.advance('1m')
    await refused
    await expect(human.approve(question)).rejects.toMatchObject({ code: 'expired' })
    expect((await ada.snapshot()).interactions[0]?.closed).toMatchObject({ reason: 'expired' })
  })

  test('with a timeout of fifty days does not expire immediately [R6.1]', async () => {
    const { clock, session, human } = world()
    const answer = session.toolCall(call()).tryApprove({ prompt: 'Go?', timeoutMs: 50 * 86_400_000 })
    const question = await human.next()
    await clock.jump('25d')
    await clock.jump('24d')
    await human.approve(question)
    expect(await answer).toMatchObject({ outcome: 'approved' })
  })

  test('becomes timing_out: an answer during onTimeout is asked to retry, and the handler decides', async () => {
    const { clock, session, human } = world()
    let decide: (value: { complete: string }) => void = () => {}
    const result = session.toolCall(call()).requestInteraction({
      ...APPROVAL,
      onResponse: () => ({ complete: 'answered' }),
      onTimeout: () => new Promise<{ complete: string }>((resolve) => (decide = resolve)),
    })
    const question = await human.next()
    await clock.advance('5m')
    await expect(human.approve(question)).rejects.toMatchObject({ code: 'settling' })
    decide({ complete: 'gave up' })
    expect(await result).toBe('gave up')
    await expect(human.approve(question)).rejects.toMatchObject({ code: 'expired' })
  })

  test('can be extended by its own timeout, unless the tool disables it', async () => {
    const { clock, holdpoint, session, human } = world()
    const extendable = session.toolCall(call('a')).tryApprove({ prompt: 'Go?', timeoutMs: 60_000 })
    const question = await human.next()
    const fixed = session.toolCall(call('b')).tryApprove({ prompt: 'Fixed?', extendable: false, timeoutMs: 60_000 })
    const extend = (interactionId: string) =>
      engineOf(holdpoint).extend(ADA, 'chat', { type: 'extend_interaction', clientId: 'tab', interactionId })
    await clock.advance('50s')
    expect(await extend(question.interactionId)).toMatchObject({ status: 200, body: { status: 'extended' } })
    const other = (await human.waiting()).find(({ prompt }) => prompt === 'Fixed?')!
    expect(await extend(other.interactionId)).toMatchObject({
      status: 409,
      body: { error: { code: 'not_extendable' } },
    })
    await clock.advance('30s')
    expect(await fixed).toMatchObject({ outcome: 'expired' })
    await human.approve(question)
    expect(await extendable).toMatchObject({ outcome: 'approved' })
  })

  test('becomes timing_out and then deferred: an answer becomes one follow-up and never runs onResponse', async () => {
    const { clock, session, human, ada, followUps, results } = world()
    let ran = 0
    const result = session.toolCall(call()).requestInteraction({
      ...APPROVAL,
      onResponse: () => ({ complete: ran++ }),
      onTimeout: () => ({ pending: { message: 'Ada will be asked by mail.' } }),
    })
    const question = await human.next()
    await clock.advance('5m')
    expect(await result).toEqual({ pending: true, queued: true, message: 'Ada will be asked by mail.' })
    expect((await ada.snapshot()).interactions[0]).toMatchObject({ deferred: true })
    await clock.jump('30d')
    await human.approve(question, { reason: 'fine by me' })
    await clock.settle()
    expect(ran).toBe(0)
    expect(followUps).toMatchObject([{ reason: 'late_answer', toolCallId: 'call-1', answer: { action: 'approve' } }])
    expect(followUps[0]?.message).toContain('approved')
    expect(results).toEqual([])
    const types = (await ada.events()).map(({ type }) => type)
    expect(types.slice(-2)).toEqual(['interaction_response', 'user_message'])
    await expect(human.deny(question)).rejects.toMatchObject({ code: 'already_answered' })
    await clock.jump('1d')
    expect(followUps).toHaveLength(1)
  })
})

test('a call that is repeated when its deferred answer arrives still causes the follow-up', async () => {
  const { clock, session, human, followUps } = world()
  const ask = () =>
    session.toolCall(call()).requestInteraction({
      ...APPROVAL,
      key: 'k',
      timeoutMs: 1_000,
      onResponse: () => ({ complete: 1 }),
      onTimeout: () => ({ pending: { message: 'later' } }),
    })
  const first = ask()
  const question = await human.next()
  await clock.advance('1s')
  await first
  await Promise.all([human.approve(question), ask()])
  await clock.settle()
  expect(followUps).toHaveLength(1)
})

test('an idle process renews its lease before it asks again', async () => {
  const { clock, holdpoint, session, human } = world({ timing: { leaseMs: 1_000 } })
  const other = open({ store: engineOf(holdpoint).store, environment: clock.environment, timing: { leaseMs: 1_000 } })
  const first = session.toolCall(call('a')).tryApprove({ prompt: 'A?' })
  await human.approve(await human.next())
  await first
  await clock.advance(400)
  const detached = session.toolCall(call('b')).requestInteraction({
    ...APPROVAL,
    timeoutMs: 10_000,
    onResponse: () => ({ complete: 1 }),
    onTimeout: () => ({ complete: 'its own handler' }),
  })
  for (let second = 0; second < 10; second++) {
    await clock.advance('1s')
    await other.tick()
  }
  expect(await detached).toBe('its own handler')
})

describe('an answered question', () => {
  test('whose handler returns pending has a deferred successor that can be answered', async () => {
    const { clock, session, human, followUps } = world()
    const result = session.toolCall(call()).requestInteraction({
      ...APPROVAL,
      onResponse: () => ({ pending: { message: 'Queued.', queued: true } }),
    })
    const first = await human.next()
    await human.approve(first)
    expect(await result).toEqual({ pending: true, queued: true, message: 'Queued.' })
    const successor = await human.next()
    expect(successor.request).toMatchObject({ replaces: first.interactionId, attempt: 2 })
    await human.deny(successor, 'too late')
    await clock.settle()
    expect(followUps).toMatchObject([{ interactionId: successor.interactionId, answer: { action: 'deny' } }])
  })

  test('becomes failed if its handler throws: the agent receives the error, and the user a general message', async () => {
    const { session, human, ada } = world()
    const result = expect(
      session.toolCall(call()).requestInteraction({
        ...APPROVAL,
        onResponse: (): { complete: 1 } => {
          throw new TypeError('secret database name')
        },
      }),
    ).rejects.toThrow('secret database name')
    await human.approve(await human.next())
    await result
    const log = JSON.stringify(await ada.events())
    expect(log).not.toContain('secret database name')
    expect((await ada.snapshot()).interactions[0]?.closed).toMatchObject({
      reason: 'failed',
      message: expect.any(String),
    })
  })

  test('becomes cancelled before it was handled: onResponse is skipped, and onCancel runs', async () => {
    const { clock, holdpoint, session, human } = world()
    const other = open({ store: engineOf(holdpoint).store })
    const ran: string[] = []
    const result = expect(
      session.toolCall(call()).requestInteraction({
        ...APPROVAL,
        onResponse: async (_response, { signal }) => {
          ran.push('onResponse')
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          return { complete: 'too late' }
        },
        onCancel: () => void ran.push('onCancel'),
      }),
    ).rejects.toMatchObject({ outcome: 'cancelled' })
    const question = await human.next()
    await human.approve(question)
    await other.session('chat', ADA).cancelRun('run-1')
    await clock.advance('2s')
    await result
    expect(ran).toEqual(['onResponse', 'onCancel'])
    expect((await person(holdpoint).snapshot()).interactions[0]).toMatchObject({
      response: { action: 'approve' },
      closed: { reason: 'cancelled' },
    })
    await expect(human.deny(question)).rejects.toMatchObject({ code: 'cancelled' })
  })

  test('cannot be asked again more often than the limit, which has its own error code', async () => {
    const { session, human } = world({ limits: { reprompts: 2 } })
    const result = expect(
      session.toolCall(call()).requestInteraction({
        ...APPROVAL,
        onResponse: () => ({ reprompt: { error: 'again' } }),
      }),
    ).rejects.toMatchObject({ code: 'reprompt_limit' })
    for (let prompt = 0; prompt < 3; prompt++) await human.approve(await human.next())
    await result
    expect(await human.waiting()).toEqual([])
  })

  test('fails if the handler returns a result that cannot be recorded', async () => {
    const { session, human, ada } = world()
    const result = expect(
      session.toolCall(call()).requestInteraction({ ...APPROVAL, onResponse: () => ({ complete: { n: 1n } }) }),
    ).rejects.toMatchObject({ code: 'not_recordable' })
    await human.approve(await human.next())
    await result
    expect((await ada.snapshot()).interactions[0]?.closed).toMatchObject({ reason: 'failed' })
  })
})

describe('ending a question from outside', () => {
  test('an abort signal only detaches the tool: the question stays open, and its outcome is delivered', async () => {
    const { clock, session, human, results } = world()
    const page = new AbortController()
    const result = expect(
      session.toolCall({ ...call(), signal: page.signal }).requestInteraction({
        ...APPROVAL,
        onResponse: ({ action }) => ({ complete: action }),
      }),
    ).rejects.toMatchObject({ name: 'AbortError' })
    const question = await human.next()
    page.abort()
    await result
    await human.approve(question)
    await clock.advance('1s')
    expect(results).toMatchObject([{ status: 'completed', result: 'approve', toolCallId: 'call-1' }])
  })

  test('an answer after approve() was aborted becomes a follow-up, unless the call was repeated', async () => {
    const { clock, session, human, followUps } = world()
    const page = new AbortController()
    for (const id of ['left', 'again']) {
      void session
        .toolCall({ ...call(id), signal: page.signal })
        .approve({ prompt: id })
        .catch(() => {})
    }
    const questions = [await human.next({ toolName: 'delete_files' })]
    human.ignore(questions[0]!)
    questions.push(await human.next())
    page.abort()
    await clock.settle()
    for (const question of questions) await human.approve(question)
    expect(await session.toolCall(call('again')).approve({ prompt: 'again' })).toMatchObject({ outcome: 'approved' })
    await clock.advance('59s')
    expect(followUps).toEqual([])
    await clock.advance('5s')
    expect(followUps).toMatchObject([{ reason: 'orphaned', toolCallId: 'left', answer: { action: 'approve' } }])
    await clock.jump('1d')
    expect(followUps).toHaveLength(1)
  })

  test('cancelInteraction ends one question, and its run continues', async () => {
    const { holdpoint, session, human } = world()
    const one = expect(session.toolCall(call('a')).approve({ prompt: 'A?' })).rejects.toMatchObject({
      outcome: 'cancelled',
    })
    const question = await human.next()
    expect(await holdpoint.cancelInteraction(question.interactionId)).toBe(true)
    await one
    expect(await holdpoint.cancelInteraction(question.interactionId)).toBe(false)
    expect(await holdpoint.cancelInteraction('never asked')).toBe(false)
    const two = session.toolCall(call('b')).approve({ prompt: 'B?' })
    await human.approve(await human.next())
    expect(await two).toMatchObject({ outcome: 'approved' })
  })

  test('session.cancel ends all runs with their questions, and does not affect later ones', async () => {
    const { session, human, ada } = world()
    const waiting = ['a', 'b'].map((id) => session.toolCall(call(id, `run-${id}`)).tryApprove({ prompt: id }))
    await ada.pending(2)
    await session.cancel('bye')
    expect(await Promise.all(waiting)).toMatchObject([{ outcome: 'cancelled' }, { outcome: 'cancelled' }])
    const statuses = (await ada.snapshot()).runs.map(({ runId, status, reason }) => [runId, status, reason])
    expect(statuses.sort()).toEqual([
      ['run-a', 'cancelled', 'bye'],
      ['run-b', 'cancelled', 'bye'],
    ])
    const later = session.toolCall(call('c', 'run-c')).tryApprove({ prompt: 'c' })
    await human.approve(await human.next())
    expect(await later).toMatchObject({ outcome: 'approved' })
  })

  test('declineWaiting supersedes open questions, and keeps deferred ones', async () => {
    const { clock, session, human, ada } = world()
    const deferred = session.toolCall(call('late')).requestInteraction({
      ...APPROVAL,
      timeoutMs: 1_000,
      onResponse: () => ({ complete: 1 }),
      onTimeout: () => ({ pending: { message: 'later' } }),
    })
    const late = await human.next()
    human.ignore(late)
    await clock.advance('1s')
    await deferred
    const waiting = session.toolCall(call('now')).tryApprove({ prompt: 'now' })
    const now = await human.next()
    expect((await ada.snapshot()).runs).toMatchObject([{ status: 'awaiting_approval' }])
    expect(await session.declineWaiting()).toEqual([now.interactionId])
    expect((await ada.snapshot()).runs).toMatchObject([{ status: 'running' }])
    expect(await waiting).toMatchObject({ outcome: 'superseded' })
    expect((await human.waiting()).map(({ interactionId }) => interactionId)).toEqual([late.interactionId])
    expect(await ada.events()).toContainEqual(
      expect.objectContaining({ type: 'tool_call_complete', status: 'declined' }),
    )
  })
})
