import { describe, expect, test } from 'vitest'
import {
  authNeeded,
  authProgress,
  authResult,
  closed,
  log,
  request,
  response,
  run,
  snapshot,
  time,
  toolCall,
  updated,
} from '../../../test/support/log.ts'
import type { HoldpointEvent } from '../../protocol/events.ts'
import type { SessionSnapshot } from '../../protocol/snapshot.ts'

import { initialState, transition } from '../index.ts'
import { can } from './permissions.ts'
import {
  selectChain,
  selectForToolCall,
  selectInteraction,
  selectPending,
  selectPendingAuth,
  selectToolCall,
} from './selectors.ts'
import type { MachineInput, SessionState } from './types.ts'
import { cardViewOf } from './view.ts'

const start = initialState({ sessionId: 'task-42', clientId: 'tab-1' })
const apply = (state: SessionState, ...inputs: MachineInput[]) =>
  inputs.reduce((before, input) => transition(before, input, time)[0], state)
const after = (events: HoldpointEvent[], ...inputs: MachineInput[]) =>
  apply(start, { type: 'events', events: log(events) }, ...inputs)
const view = (state: SessionState, id = 'i1', now = time) => cardViewOf(selectInteraction(state, id), state, now)
const mine = { respondedBy: { userId: 'ada', clientId: 'tab-1' } }
const connection = (
  status: 'open' | 'reconnecting' | 'offline' | 'unauthorized' | 'closed',
  attempt = 0,
): MachineInput => ({
  type: 'connection',
  connection: { status, attempt },
})
const submit: MachineInput = { type: 'submit', interactionId: 'i1', answerId: 'a1', answer: { action: 'approve' } }
const as = (you: SessionSnapshot['you']): MachineInput => ({ type: 'snapshot', snapshot: snapshot({ you }), log: true })

describe('the state of a card follows from the log, the mode, the connection and the principal', () => {
  test.each<[string, SessionState]>([
    ['loading', start],
    ['pending', after([request('i1')])],
    ['submitting', after([request('i1')], submit)],
    [
      'not-sent',
      after([request('i1')], submit, { type: 'rejected', interactionId: 'i1', answerId: 'a1', status: 'not_sent' }),
    ],
    ['answered-here', after([request('i1'), response('i1', mine)])],
    ['answered-here', after([request('i1')], submit, { type: 'accepted', interactionId: 'i1', answerId: 'a1' })],
    ['approved-still-running', after([toolCall('start'), request('i1'), response('i1', mine)])],
    ['answered-here', after([toolCall('start'), request('i1'), response('i1', { ...mine, action: 'deny' })])],
    ['answered-here', after([toolCall('start'), request('i1'), response('i1', mine), toolCall('complete')])],
    ['answered-here', after([toolCall('start'), request('i1'), response('i1', mine), run('run-1', 'error')])],
    [
      'approved-still-running',
      after([toolCall('start'), request('i1')], submit, { type: 'accepted', interactionId: 'i1', answerId: 'a1' }),
    ],
    ['answered-elsewhere', after([request('i1'), response('i1')])],
    ['expired', after([request('i1'), closed('i1', 'expired')])],
    ['cancelled', after([request('i1'), response('i1'), closed('i1', 'cancelled')])],
    ['superseded', after([request('i1'), closed('i1', 'superseded')])],
    ['failed', after([request('i1'), response('i1', mine), closed('i1', 'failed')])],
    ['reprompted', after([request('i0'), response('i0'), request('i1', { replaces: 'i0', attempt: 2, error: 'No.' })])],
    ['reprompted', after([request('i1', { error: 'No.' })])],
    ['reprompted', after([request('i1', { attempt: 2 })])],
    ['reprompted', after([request('i1', { replaces: 'i0' })])],
    ['read-only', after([request('i1')], { type: 'mode', enabled: false })],
    ['may-not-answer', after([request('i1')], as({ userId: 'ada', can: ['read'] }))],
    ['unknown-kind', after([request('i1', { interactionType: 'signature' })])],
    ['disconnected', after([request('i1')], connection('offline'))],
    ['signed-out', after([request('i1')], connection('unauthorized'))],
    [
      'signed-out',
      after([request('i1')], submit, {
        type: 'rejected',
        interactionId: 'i1',
        answerId: 'a1',
        status: 'not_sent',
        problem: { code: 'unauthorized', message: 'Sign in.' },
      }),
    ],
    ['disconnected', after([request('i1')], connection('closed'))],
    ['disconnected', after([request('i1')], connection('reconnecting', 2))],
    ['pending', after([request('i1')], connection('reconnecting', 1))],
    ['pending', after([request('i1')], connection('open', 2))],
    ['pending', after([authNeeded('i1')])],
    ['answered-here', after([authNeeded('i1'), authResult('i1', true)])],
    ['expired', after([authNeeded('i1'), authResult('i1', false, 'expired')])],
  ])('%s (%#)', (expected, state) => {
    expect(view(state).state).toBe(expected)
  })

  test("the audience may answer questions that others may only read, and the server's decision is final", () => {
    const question = request('i1', { audience: ['grace'] })
    const grace = after([question], as({ userId: 'grace', can: [] }))
    expect(view(grace).state).toBe('pending')
    expect(can(grace, { type: 'respond', interactionId: 'i1' })).toBe(true)
    const refused = apply(grace, submit, {
      type: 'rejected',
      interactionId: 'i1',
      answerId: 'a1',
      status: 'pending',
      problem: { code: 'forbidden', message: 'Not you.' },
    })
    expect(view(refused)).toMatchObject({ state: 'may-not-answer', canAnswer: false })
  })

  test('a reloaded page still shows "approved, still running"', () => {
    const item = {
      request: request('i1'),
      response: response('i1', mine),
      running: true,
    } as SessionSnapshot['interactions'][0]
    const state = apply(start, { type: 'snapshot', snapshot: snapshot({ interactions: [item] }) })
    expect(view(state).state).toBe('approved-still-running')
  })

  test('only the call of a valid approval still runs', () => {
    const failed = after([toolCall('start'), request('i1'), response('i1', mine), closed('i1', 'failed')])
    expect(view(failed)).toMatchObject({ state: 'failed', stillRunning: false })
  })

  test('after a reprompt the earlier approval does not mark the call as running', () => {
    const again = [request('i1'), response('i1', mine), request('i2', { replaces: 'i1', attempt: 2 })]
    const state = after([toolCall('start'), ...again])
    expect(view(state)).toMatchObject({ state: 'answered-here', stillRunning: false })
    const answered = after([toolCall('start'), ...again, response('i2', mine)])
    expect([view(answered).stillRunning, view(answered, 'i2').stillRunning]).toEqual([false, true])
  })

  test('a principal without the right to respond and outside of the audience gets no controls', () => {
    const reader = after([request('i1')], as({ userId: 'ada', can: ['read'] }))
    expect(can(reader, { type: 'respond', interactionId: 'i1' })).toBe(false)
    const asked = after([request('i1', { extendable: true })], as({ userId: 'ada', can: ['respond'] }))
    expect(view(asked)).toMatchObject({ canAnswer: true, canExtend: false })
    const respond = { type: 'respond', interactionId: 'i1' } as const
    expect(can(asked, { ...respond, action: 'approve', approvalScope: 'session' })).toBe(true)
    expect(can(asked, { ...respond, action: 'submit' })).toBe(false)
    expect(can(asked, { ...respond, action: 'approve', approvalScope: 'always' })).toBe(false)
  })

  test('an earlier approval does not apply to another run with the same tool call id', () => {
    const again = { runId: 'run-2' }
    const old = [toolCall('start'), request('i1'), response('i1', mine), toolCall('complete'), toolCall('start', again)]
    const state = after(old)
    expect(selectForToolCall(state, 'call-1')).toBeUndefined()
    expect(selectForToolCall(state, 'call-1', 'run-1')?.interactionId).toBe('i1')
    expect(view(state).stillRunning).toBe(false)
    expect(selectToolCall(state, 'call-1')).toMatchObject({ runId: 'run-2', status: 'running' })
    const late = log([...old, toolCall('update', { logs: ['late'] })]).slice(-1)
    expect(selectToolCall(apply(state, { type: 'events', events: late }), 'call-1', 'run-1')?.logs).toEqual(['late'])
  })

  test('an accepted form is settling until its call or run ends or it is asked again; a plain approval never is', () => {
    const sent = (answer: object) => after([toolCall('start'), request('i1'), response('i1', { ...mine, ...answer })])
    const form = sent({ action: 'submit', input: {} })
    expect(view(form).settling).toBe(true)
    expect(view(sent({ action: 'approve', args: {} })).settling).toBe(true)
    for (const answer of [{ action: 'approve' }, { action: 'deny' }, { action: 'decline' }]) {
      expect(view(sent(answer)).settling).toBe(false)
    }
    expect(view(after([toolCall('start'), request('i1'), response('i1', { action: 'submit' })])).settling).toBe(false)
    const later = (...events: HoldpointEvent[]) =>
      after([toolCall('start'), request('i1'), response('i1', { ...mine, action: 'submit' }), ...events])
    expect(view(later(toolCall('complete'))).settling).toBe(false)
    expect(view(later(run('run-1', 'cancelled'))).settling).toBe(false)
    expect(view(later(request('i2', { replaces: 'i1' }))).settling).toBe(false)
  })
})

describe('time', () => {
  test('remaining time is measured by the clock of the server', () => {
    const told = snapshot({ serverTime: new Date(time + 60_000).toISOString() })
    const state = after([request('i1')], { type: 'snapshot', snapshot: told, log: true })
    expect(view(state).remainingMs).toBe(240_000)
    expect(view(state, 'i1', time + 240_000)).toMatchObject({
      remainingMs: 0,
      overdue: true,
      state: 'pending',
      canAnswer: true,
    })
  })

  test('after the deadline the remaining time is 0, and a settled question has none', () => {
    expect(view(after([request('i1')]), 'i1', time + 1e9)).toMatchObject({ remainingMs: 0, overdue: true })
    expect(view(after([request('i1'), response('i1')]), 'i1', time + 1e9)).toMatchObject({
      remainingMs: null,
      overdue: false,
    })
  })

  test('a deferred question has no deadline and can be answered', () => {
    const state = after([request('i1'), updated('i1', { deferred: true })])
    expect(view(state, 'i1', time + 1e9)).toMatchObject({
      remainingMs: null,
      overdue: false,
      deferred: true,
      canAnswer: true,
    })
    const late = after([request('i1'), updated('i1', { deferred: true }), response('i1', { late: true })])
    expect(view(late).state).toBe('answered-elsewhere')
  })

  test('an extension moves the deadline, and is offered only if the server allows it', () => {
    const later = new Date(time + 900_000).toISOString()
    const state = after([request('i1', { extendable: true }), updated('i1', { expiresAt: later })])
    expect(view(state)).toMatchObject({ remainingMs: 900_000, canExtend: true })
    expect(can(state, { type: 'extend', interactionId: 'i1' })).toBe(true)
    expect(can(after([request('i1')]), { type: 'extend', interactionId: 'i1' })).toBe(false)
    expect(view(after([request('i1')])).canExtend).toBe(false)
  })
})

describe('answers of this client', () => {
  test('an answer is accepted once, and a second click changes nothing', () => {
    const state = after([request('i1')], submit)
    expect(apply(state, { ...submit, answerId: 'a2' } as MachineInput)).toBe(state)
    expect(can(state, { type: 'respond', interactionId: 'i1' })).toBe(false)
  })

  test('a settled question accepts no answer', () => {
    const over = after([request('i1'), closed('i1', 'cancelled')])
    expect(apply(over, submit, { type: 'accepted', interactionId: 'i1', answerId: 'a1' })).toBe(over)
  })

  test('a rejected answer rolls back with its error and keeps the typed input', () => {
    const problem = { code: 'invalid_input', message: 'No.', fieldErrors: { email: ['Not an address.'] } }
    const state = after([request('i1')], submit, {
      type: 'rejected',
      interactionId: 'i1',
      answerId: 'a1',
      status: 'pending',
      problem,
    })
    expect(selectInteraction(state, 'i1')).toMatchObject({ status: 'pending', problem, draft: { answerId: 'a1' } })
  })

  test('a response with another answer id is ignored', () => {
    const state = after([request('i1')], submit)
    expect(apply(state, { type: 'accepted', interactionId: 'i1', answerId: 'a0' })).toBe(state)
  })

  test('the winner from a 409 is shown before the log contains it, and the log confirms it', () => {
    const state = after([request('i1')], submit, {
      type: 'rejected',
      interactionId: 'i1',
      answerId: 'a1',
      status: 'answered',
      answeredBy: { name: 'Grace', clientId: 'phone' },
    })
    expect(view(state).state).toBe('answered-elsewhere')
    expect(selectInteraction(state, 'i1')?.answeredBy?.name).toBe('Grace')
    const told = apply(state, { type: 'events', events: log([request('i1'), response('i1')]) })
    expect(selectInteraction(told, 'i1')).toMatchObject({ answeredBy: { name: 'Ada' }, draft: undefined })
  })

  test('an accepted answer survives a snapshot that was taken before it', () => {
    const state = after([request('i1')], submit, { type: 'accepted', interactionId: 'i1', answerId: 'a1' })
    const before = snapshot({ cursor: log([request('i1')])[0]!.cursor, interactions: [{ request: request('i1') }] })
    expect(view(apply(state, { type: 'snapshot', snapshot: before })).state).toBe('answered-here')
    const lost = apply(state, { type: 'reset', reason: 'forked' }, { type: 'snapshot', snapshot: before })
    expect(view(lost).state).toBe('pending')
    expect(selectInteraction(lost, 'i1')?.draft?.answerId).toBe('a1')
  })
})

describe('selectors', () => {
  test('selectForToolCall returns the oldest open question of a call, otherwise the latest', () => {
    const two = [request('i1', { prompt: 'a' }), request('i2', { prompt: 'b' })]
    expect(selectForToolCall(after(two), 'call-1')?.interactionId).toBe('i1')
    expect(selectForToolCall(after([...two, response('i1')]), 'call-1')?.interactionId).toBe('i2')
    expect(selectForToolCall(after([...two, response('i1'), response('i2')]), 'call-1')?.interactionId).toBe('i2')
  })

  test('selectChain returns the prompts from the first to the given one, and stops at a cycle', () => {
    const state = after([
      request('i1'),
      response('i1'),
      request('i2', { replaces: 'i1' }),
      response('i2'),
      request('i3', { replaces: 'i2' }),
    ])
    expect(selectChain(state, 'i3').map((it) => it.interactionId)).toEqual(['i1', 'i2', 'i3'])
    expect(selectPending(state).map((it) => it.interactionId)).toEqual(['i3'])
    const circle = after([request('i1', { replaces: 'i2' }), request('i2', { replaces: 'i1' })])
    expect(selectChain(circle, 'i2').map((it) => it.interactionId)).toEqual(['i1', 'i2'])
  })

  test('selectPendingAuth returns the same after a reload, with the accounts that are connected so far', () => {
    const live = after([authNeeded('i1'), authProgress('i1', 'slack', ['gmail'])])
    expect(selectPendingAuth(live)).toMatchObject({ interactionId: 'i1', connected: ['slack'] })
    const item = { request: authNeeded('i1'), connected: ['slack'] } as SessionSnapshot['interactions'][0]
    const reloaded = apply(start, { type: 'snapshot', snapshot: snapshot({ interactions: [item] }) })
    expect(selectPendingAuth(reloaded)).toEqual(selectPendingAuth(live))
    expect(can(live, { type: 'connect', interactionId: 'i1', integration: 'slack' })).toBe(false)
    expect(can(live, { type: 'connect', interactionId: 'i1', integration: 'gmail' })).toBe(true)
  })

  test('accounts can be connected at a question that asks for them, by permitted users', () => {
    const connect = { type: 'connect', interactionId: 'i1' } as const
    expect(can(after([authNeeded('i1')]), connect)).toBe(true)
    expect(can(after([request('i1')]), connect)).toBe(false)
    expect(can(after([authNeeded('i1')], as({ userId: 'ada', can: ['respond'] })), connect)).toBe(false)
  })
})

test('an update without new facts keeps the identity of the question', () => {
  const events = log([request('i1'), updated('i1', { expiresAt: request('i1').expiresAt as string, deferred: false })])
  const before = apply(start, { type: 'events', events: events.slice(0, 1) })
  const state = apply(before, { type: 'events', events: events.slice(1) })
  expect(state.cursor).toBe(events[1]!.cursor)
  expect(selectInteraction(state, 'i1')).toBe(selectInteraction(before, 'i1'))
})

test('a call keeps the values that an event does not mention', () => {
  const events = [toolCall('start', { input: { path: '/tmp' } }), toolCall('update', { logs: ['a'] })]
  const state = after([
    ...events,
    toolCall('complete', { output: 3, error: 'late' }),
    toolCall('update', { logs: ['b'] }),
  ])
  expect(selectToolCall(state, 'call-1')).toMatchObject({
    toolName: 'delete_files',
    status: 'completed',
    input: { path: '/tmp' },
    output: 3,
    error: 'late',
    logs: ['a', 'b'],
  })
})

test('a log that is read from its beginning is ready at once only if it is empty', () => {
  const ready = (told: Partial<SessionSnapshot>) =>
    apply(start, { type: 'snapshot', snapshot: snapshot(told), log: true }).ready
  expect(ready({})).toBe(true)
  expect(ready({ runs: [run('run-1', 'running')] as unknown as SessionSnapshot['runs'] })).toBe(false)
  expect(ready({ interactions: [{ request: request('i1') }] })).toBe(false)
})

test('a snapshot that lists the successor first still records what it replaces', () => {
  const second = { request: request('i2', { replaces: 'i1', attempt: 2 }) }
  const first = { request: request('i1'), response: response('i1') } as SessionSnapshot['interactions'][0]
  const state = apply(start, { type: 'snapshot', snapshot: snapshot({ interactions: [second, first] }) })
  expect(selectInteraction(state, 'i1')?.replacedBy).toBe('i2')
})

test('only an answer that was not sent can be sent again', () => {
  expect(can(after([request('i1')]), { type: 'retry', interactionId: 'i1' })).toBe(false)
})
