import { describe, expect, test, vi } from 'vitest'
import { authNeeded, closed, request, response } from '../../test/support/log.ts'
import { scriptedServer } from '../../test/support/scripted-server.ts'
import { settle, virtualEnvironment } from '../../test/support/virtual-environment.ts'
import { cardViewOf } from '../machine/state/view.ts'

import type { ClientMessage } from '../protocol/index.ts'
import type { SendResult } from '../transport/types.ts'
import { onAnnouncement } from './api/on-announcement.ts'
import { createHoldpointClient } from './create-client.ts'

type Reply = SendResult | Promise<SendResult>

async function start(...replies: ((message: ClientMessage, signal?: AbortSignal) => Reply)[]) {
  const server = scriptedServer()
  const world = virtualEnvironment()
  server.append(request('i1'), request('i2'))
  server.script.onSend = (message, signal) => {
    if (message.type === 'hello') return undefined
    return (replies.length > 1 ? replies.shift()! : replies[0])?.(message, signal)
  }
  const client = createHoldpointClient({
    sessionId: 'task-42',
    clientId: 'tab-1',
    transport: server.transport,
    environment: world.env,
  })
  client.subscribe(() => {})
  await settle()
  const state = () => client.getSnapshot()
  return {
    server,
    world,
    client,
    one: () => state().interactions.get('i1')!,
    view: () => cardViewOf(state().interactions.get('i1'), state(), world.env.now()).state,
  }
}

const error = (status: number, code: string, more: Record<string, unknown> = {}): SendResult => ({
  status,
  body: { error: { code, message: 'No.', ...more } },
})
const approve = { action: 'approve' } as const
const lost = () => Promise.reject(new Error('lost'))

describe('the result of each response of the server', () => {
  test.each<[string, SendResult, string, string]>([
    ['200', { status: 200, body: { status: 'accepted' } }, 'accepted', 'answered-here'],
    ['200 again', { status: 200, body: { status: 'accepted', replayed: true } }, 'accepted', 'answered-here'],
    [
      '409 already_answered',
      error(409, 'already_answered', { respondedBy: { name: 'Grace', clientId: 'x' } }),
      'already_answered',
      'answered-elsewhere',
    ],
    [
      '409 by ourselves',
      error(409, 'already_answered', { respondedBy: { clientId: 'tab-1' } }),
      'already_answered',
      'answered-here',
    ],
    ['409 answer_id_reused', error(409, 'answer_id_reused'), 'invalid', 'pending'],
    ['409 not_interactive', error(409, 'not_interactive'), 'not_interactive', 'read-only'],
    ['410 expired', error(410, 'expired'), 'expired', 'expired'],
    ['410 cancelled', error(410, 'cancelled'), 'cancelled', 'cancelled'],
    ['410 superseded', error(410, 'superseded'), 'superseded', 'superseded'],
    ['404', error(404, 'unknown_interaction'), 'unknown', 'pending'],
    ['422', error(422, 'invalid_input', { fieldErrors: { email: ['No.'] } }), 'invalid', 'pending'],
    ['400', error(400, 'scope_not_offered'), 'invalid', 'pending'],
    ['413', error(413, 'too_large'), 'invalid', 'pending'],
    ['403', error(403, 'forbidden'), 'forbidden', 'may-not-answer'],
    ['401', error(401, 'not_authenticated'), 'not_sent', 'not-sent'],
    ['500 of a proxy', { status: 500, body: '<html>' }, 'not_sent', 'not-sent'],
    ['501', error(501, 'not_configured'), 'not_sent', 'not-sent'],
  ])('%s', async (_name, reply, status, view) => {
    const it = await start(() => reply)
    const answer = it.client.respond('i1', approve)
    expect(it.view()).toBe('submitting')
    await it.world.advance(10_000)
    expect((await answer).status).toBe(status)
    expect(it.view()).toBe(view)
    expect(it.client.getSnapshot().connection.status).toBe('open')
  })

  test.each([
    [501, 1],
    [500, 3],
    [503, 3],
    [403, 1],
  ])('a response of status %i is sent %i times: only temporary failures are retried', async (status, times) => {
    const it = await start(() => error(status, 'internal'))
    const answer = it.client.respond('i1', approve)
    await it.world.advance(10_000)
    await answer
    expect(it.server.answers()).toHaveLength(times)
  })

  test('respond returns the winner and the time, errors by field, and the message of the server', async () => {
    const who = { respondedBy: { name: 'Grace', clientId: 'x' }, respondedAt: '2026-01-02T03:04:06.000Z' }
    const first = await start(() => error(409, 'already_answered', who))
    expect(await first.client.respond('i1', approve)).toEqual({ status: 'already_answered', ...who })
    expect(first.one()).toMatchObject({ answeredBy: who.respondedBy, answeredAt: who.respondedAt })
    expect(await first.client.respond('i1', approve)).toEqual({ status: 'already_answered', ...who })

    const second = await start(() => error(422, 'invalid_input', { fieldErrors: { email: ['No.'] } }))
    const problem = { code: 'invalid_input', message: 'No.', fieldErrors: { email: ['No.'] } }
    expect(await second.client.respond('i1', approve)).toEqual({ status: 'invalid', problem })
    expect(second.one()).toMatchObject({ status: 'pending', problem, draft: { answer: approve } })
  })

  test('an answer that is "settling" is retried for as long as the server asks, up to a limit', async () => {
    const settling = { ...error(409, 'settling'), retryAfterMs: 1_000 }
    const it = await start(
      () => settling,
      () => settling,
      () => ({ status: 200, body: { status: 'accepted' } }),
    )
    const answer = it.client.respond('i1', approve)
    await it.world.advance(900)
    expect(it.server.answers()).toHaveLength(1)
    await it.world.advance(5_000)
    expect(await answer).toEqual({ status: 'accepted' })
    expect(new Set(it.server.answers().map((message) => message.answerId)).size).toBe(1)

    const stuck = await start(() => settling)
    const never = stuck.client.respond('i1', approve)
    await stuck.world.advance(60_000)
    expect(await never).toMatchObject({ status: 'not_sent', problem: { code: 'settling' } })
    expect(stuck.server.answers().length).toBeLessThan(30)
  })

  test('a short Retry-After is waited for, and a long one is reported', async () => {
    const short = await start(
      () => ({ ...error(429, 'rate_limited'), retryAfterMs: 3_000 }),
      () => ({ status: 200, body: { status: 'accepted' } }),
    )
    const answer = short.client.respond('i1', approve)
    await short.world.advance(2_900)
    expect(short.server.answers()).toHaveLength(1)
    await short.world.advance(2_000)
    expect(await answer).toEqual({ status: 'accepted' })
    const long = await start(() => ({ ...error(429, 'rate_limited'), retryAfterMs: 3_600_000 }))
    expect(await long.client.respond('i1', approve)).toMatchObject({
      status: 'not_sent',
      problem: { code: 'rate_limited' },
    })
  })

  test('a response about an unknown question makes the client read the whole session again', async () => {
    const it = await start(() => error(404, 'unknown_interaction'))
    it.server.restore([request('n1')])
    await it.client.respond('i1', approve)
    await settle()
    expect(it.client.getSnapshot().pendingIds).toEqual(['n1'])
  })
})

describe('an answer that does not reach the server', () => {
  test('is sent three times, kept, and sent again under the same id', async () => {
    const it = await start(lost, lost, lost, () => ({ status: 200, body: { status: 'accepted', replayed: true } }))
    const answer = it.client.respond('i1', approve)
    await it.world.advance(10_000)
    expect(await answer).toMatchObject({ status: 'not_sent', problem: { code: 'network' } })
    expect(it.view()).toBe('not-sent')
    expect(it.server.answers()).toHaveLength(3)
    expect(await it.client.retry('i1')).toEqual({ status: 'accepted', replayed: true })
    expect(new Set(it.server.answers().map((message) => message.answerId)).size).toBe(1)
    expect(it.view()).toBe('answered-here')
  })

  test('a different answer gets a new id, and the same answer keeps its id', async () => {
    const it = await start(() => error(422, 'invalid_input'))
    await it.client.respond('i1', { action: 'submit', input: { email: 'x' } })
    await it.client.respond('i1', { action: 'submit', input: { email: 'x' } })
    await it.client.respond('i1', { action: 'submit', input: { email: 'y' } })
    const [a, b, c] = it.server.answers().map((message) => message.answerId)
    expect(a).toBe(b)
    expect(c).not.toBe(a)
  })

  test('is aborted after a timeout, also if the transport ignores the signal', async () => {
    const it = await start(() => new Promise(() => {}))
    const answer = it.client.respond('i1', approve)
    await it.world.advance(70_000)
    expect(await answer).toMatchObject({ status: 'not_sent', problem: { code: 'timeout' } })
    expect(it.server.aborted).toContain('tool_interaction_response')
  })

  test('is not retried while the page is offline', async () => {
    const it = await start(lost)
    it.world.happen('offline')
    expect(await it.client.respond('i1', approve)).toMatchObject({ status: 'not_sent' })
    expect(it.server.answers()).toHaveLength(1)
  })

  test('resolves as accepted if the log shows that it won', async () => {
    const it = await start(lost)
    const answer = it.client.respond('i1', approve)
    it.server.emit(response('i1', { respondedBy: { clientId: 'tab-1' } }))
    expect(it.view()).toBe('answered-here')
    await it.world.advance(10_000)
    expect(await answer).toEqual({ status: 'accepted' })
    const lostTo = await start(lost)
    const other = lostTo.client.respond('i1', approve)
    lostTo.server.emit(closed('i1', 'cancelled'))
    await lostTo.world.advance(10_000)
    expect(await other).toEqual({ status: 'cancelled' })
  })

  test('the same answer, given again after it was accepted and before the log has it, resolves as accepted', async () => {
    const it = await start(() => ({ status: 200, body: { status: 'accepted' } }))
    await it.client.respond('i1', approve)
    expect(await it.client.respond('i1', { ...approve })).toEqual({ status: 'accepted', replayed: true })
    expect(await it.client.respond('i1', { action: 'deny' })).toEqual({ status: 'already_answered' })
    expect(it.server.answers()).toHaveLength(1)
  })

  test('does not resolve as accepted because of an answer that this page sent before it was reloaded', async () => {
    const it = await start(lost)
    const sent = it.client.respond('i1', { action: 'deny' })
    it.server.emit(response('i1', { respondedBy: { clientId: 'tab-1' } }))
    await it.world.advance(10_000)
    expect(await sent).toMatchObject({ status: 'already_answered', respondedBy: { clientId: 'tab-1' } })
  })

  test('does not resolve as accepted because an earlier approval with other arguments arrived unacknowledged', async () => {
    const it = await start(lost)
    void it.client.respond('i1', approve)
    await it.world.advance(60_000)
    const sent = it.client.respond('i1', { ...approve, args: { amount: 50 } })
    it.server.emit(response('i1', { respondedBy: { clientId: 'tab-1' } }))
    await it.world.advance(60_000)
    expect(await sent).toMatchObject({ status: 'already_answered' })
  })

  test('resolves at once when the client is closed, and no question stays in "submitting"', async () => {
    const it = await start(() => new Promise(() => {}))
    const answer = it.client.respond('i1', approve)
    it.client.close()
    expect(await answer).toMatchObject({ status: 'not_sent', problem: { code: 'client_closed' } })
    expect(it.one().status).toBe('not_sent')
    expect(it.world.timers.size).toBe(0)
  })
})

describe('answers of one question', () => {
  test('clicks in one tick send one message: its answer is accepted, and another one has lost to it', async () => {
    const it = await start(() => ({ status: 200, body: { status: 'accepted' } }))
    const given = [approve, { ...approve }, { action: 'deny' } as const]
    const answers = await Promise.all(given.map((answer) => it.client.respond('i1', answer)))
    expect(answers).toEqual([{ status: 'accepted' }, { status: 'accepted' }, { status: 'already_answered' }])
    expect(it.server.answers()).toHaveLength(1)
    expect(it.server.answers()[0]).toMatchObject({
      callId: 'call-1',
      interactionId: 'i1',
      clientId: 'tab-1',
      action: 'approve',
    })
  })

  test('an answer that is given while another one is sent without success is not sent either', async () => {
    const it = await start(() => error(500, 'internal'))
    const answers = Promise.all([it.client.respond('i1', approve), it.client.respond('i1', { action: 'deny' })])
    await it.world.advance(10_000)
    expect((await answers).map(({ status }) => status)).toEqual(['not_sent', 'not_sent'])
    expect(new Set(it.server.answers().map(({ action }) => action))).toEqual(new Set(['approve']))
    expect(it.one().draft).toMatchObject({ answer: approve })
  })

  test('a listener that answers during the notification of an answer sends no second message', async () => {
    const it = await start(() => ({ status: 200, body: { status: 'accepted' } }))
    it.client.subscribe(() => void it.client.respond('i1', { action: 'deny' }), 'interaction:i1')
    await it.client.respond('i1', approve)
    await settle()
    expect(it.server.answers().map(({ action }) => action)).toEqual(['approve'])
  })

  test('an answer that is not possible is rejected without a request', async () => {
    const it = await start(() => ({ status: 200, body: { status: 'accepted' } }))
    expect(await it.client.respond('nobody', approve)).toEqual({ status: 'unknown' })
    it.server.emit(closed('i1', 'expired'), response('i2'))
    expect(await it.client.respond('i1', approve)).toEqual({ status: 'expired' })
    expect(await it.client.respond('i2', approve)).toMatchObject({
      status: 'already_answered',
      respondedBy: { userId: 'ada' },
    })
    expect(await it.client.retry('i2')).toMatchObject({ status: 'already_answered' })
    expect(await it.client.retry('nobody')).toEqual({ status: 'unknown' })
    it.client.setInteractionMode(false)
    it.server.emit(request('i3'))
    expect(await it.client.respond('i3', approve)).toEqual({ status: 'not_interactive' })
    expect(it.server.answers()).toEqual([])
  })

  test('the log event of an accepted answer changes neither status nor announcements', async () => {
    const it = await start(() => ({ status: 200, body: { status: 'accepted' } }))
    const said = vi.fn()
    onAnnouncement(it.client, said)
    await it.client.respond('i1', approve)
    it.server.emit(response('i1', { respondedBy: { userId: 'ada', clientId: 'tab-1' } }))
    expect(it.view()).toBe('answered-here')
    expect(said.mock.calls).toEqual([[{ kind: 'answered', interactionId: 'i1' }]])
  })
})

describe('other messages', () => {
  test('extend resolves with done, not offered or failed', async () => {
    const it = await start(
      () => ({ status: 200, body: { status: 'extended' } }),
      () => error(409, 'not_extendable'),
      () => error(403, 'forbidden'),
    )
    expect(await it.client.extend('i1')).toEqual({ status: 'extended' })
    expect(await it.client.extend('i1')).toEqual({ status: 'not_extendable' })
    expect(await it.client.extend('i1')).toEqual({ status: 'failed' })
  })

  test('cancelRun and submitAuthResult reject with the code of the server', async () => {
    const it = await start(
      () => ({ status: 200, body: { status: 'cancelled' } }),
      () => error(404, 'unknown_run'),
      () => error(403, 'forbidden'),
    )
    await it.client.cancelRun('run-1')
    await expect(it.client.cancelRun('run-2')).rejects.toMatchObject({
      name: 'HoldpointError',
      code: 'unknown_run',
      details: { status: 404 },
    })
    await expect(it.client.submitAuthResult('run-1', 'slack', true)).rejects.toMatchObject({ code: 'forbidden' })
    expect(it.server.sent.slice(1).map(({ type }) => type)).toEqual(['cancel_run', 'cancel_run', 'submit_auth_result'])
  })

  test('connectAccount and upload send their requests to the routes of the server', async () => {
    const it = await start()
    it.server.emit(authNeeded('i3'))
    await it.client.connectAccount('i3', 'slack', { returnTo: '/chat' })
    const file = Object.assign(new Blob(['hello'], { type: 'text/plain' }), { name: 'a b.txt' })
    await it.client.upload('i1', 'photo', file)
    await it.client.upload('i1', 'photo', file, ['h1', 'h2'])
    expect(it.server.calls.slice(-3)).toEqual([
      'POST /sessions/task-42/connect',
      'POST /sessions/task-42/uploads?interactionId=i1&fieldId=photo&name=a+b.txt&type=text%2Fplain',
      'POST /sessions/task-42/uploads?interactionId=i1&fieldId=photo&name=a+b.txt&type=text%2Fplain&keeps=&keeps=h1&keeps=h2',
    ])
  })

  test('the interaction mode is sent one message at a time, and the newest value is sent last', async () => {
    const waiting: ((result: SendResult) => void)[] = []
    const it = await start(() => new Promise<SendResult>((resolve) => waiting.push(resolve)))
    const words = () =>
      it.server.sent.flatMap((message) => (message.type === 'set_interaction_mode' ? [message.enabled] : []))
    for (const enabled of [false, true, false, false]) it.client.setInteractionMode(enabled)
    await settle()
    expect(words()).toEqual([false])
    it.client.setInteractionMode(true)
    waiting[0]!({ status: 200, body: { status: 'accepted' } })
    await settle()
    expect(words()).toEqual([false, true])
    expect(it.client.getSnapshot().interactiveMode).toBe(true)
    it.client.setInteractionMode(false)
    it.server.drop()
    await it.world.advance(1_000)
    waiting[1]!({ status: 200, body: { status: 'accepted' } })
    await settle()
    expect(it.server.sent.at(-1)).toMatchObject({ type: 'hello', interaction: { supported: true, enabled: false } })
  })

  test('user actions are sent in order with the buffered ones, and return to the buffer if they were rejected', async () => {
    const it = await start(
      () => error(400, 'invalid_message'),
      () => ({ status: 200, body: { status: 'accepted' } }),
    )
    const action = (event: string) => ({ type: 'global_event' as const, event })
    const sent = () =>
      it.server.sent.flatMap((message) =>
        message.type === 'user_actions' ? [message.actions.map((a) => a.event)] : [],
      )
    it.client.bufferAction(action('a'))
    await expect(it.client.sendUserActions([action('b')])).rejects.toMatchObject({ code: 'invalid_message' })
    await Promise.all([it.client.sendUserActions([action('c')]), it.client.sendUserActions([action('d')])])
    expect(sent()).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c', 'd'],
    ])
    const ids = it.server.sent.flatMap((message) => (message.type === 'user_actions' ? message.actions : []))
    expect(ids[0]!.actionId).toBe(ids[2]!.actionId)
    for (let i = 0; i < 250; i++) it.client.bufferAction(action(`n${i}`))
    await it.client.sendUserActions()
    expect(
      sent()
        .slice(2)
        .map((list) => list.length),
    ).toEqual([100, 100, 50])
    it.client.bufferAction(action('mine'))
    expect(it.client.takeActions()).toMatchObject([{ event: 'mine' }])
    expect(it.client.takeActions()).toEqual([])
  })
})
