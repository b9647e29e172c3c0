import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHoldpointClient, sse } from '@holdpoint/core'
import { shownDigest } from '@holdpoint/core/wire'
import type { HoldpointOptions, InteractionRecord } from '@holdpoint/server'
import { toNodeHandler } from '@holdpoint/server/node'
import { testHuman } from '@holdpoint/server/testing'
import { readHistory, toModelMessages, userAction } from '@holdpoint/server/tools'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { AcceptedAction, UserActions } from '../../src/engine/api/user-actions.ts'
import { engineOf } from '../../src/http/mounted.ts'
import { clusters, until } from '../engine/support/nodes.ts'
import { ADA, BOB, person } from '../engine/support/world.ts'
import { type Effect, editTool } from './support/edit-tool.ts'

const registry: UserActions = {
  tools: {
    edit_file: {
      confirmed: userAction({ message: 'The user applied the changes.', answer: () => ({ action: 'approve' }) }),
      partial: userAction({
        payload: z.object({ decisions: z.record(z.string(), z.enum(['accept', 'reject'])) }),
        message: ({ decisions }) => `The user decided about ${Object.keys(decisions).length} changes.`,
        answer: ({ decisions }) => ({ action: 'approve', diffDecisions: decisions }),
      }),
      filled: userAction({
        message: 'The user filled it in.',
        answer: () => ({ action: 'submit', input: {} }),
      }),
      request_fix: userAction({
        payload: z.strictObject({ error: z.string(), at: z.object({ line: z.number() }).optional() }),
        message: 'The user asks for a fix of {error} at line {at.line}.',
        status: 'needs_fix',
      }),
    },
    other_tool: { seen: userAction({ message: 'Seen.' }) },
  },
  global: { file_uploaded: userAction({ payload: z.object({ name: z.string() }), message: 'Uploaded {name}.' }) },
}

const uploaded = (name: string, actionId?: string) =>
  ({ type: 'global_event', event: 'file_uploaded', payload: { name }, ...(actionId && { actionId }) }) as const
const onEdit = (event: string, payload?: unknown, more: object = {}) => ({
  ...{ type: 'tool_event' as const, toolCallId: 'call-1', toolName: 'edit_file', event },
  ...(payload !== undefined && { payload }),
  ...more,
})

describe.each(clusters)('%s', (_name, makeCluster) => {
  function world(options: HoldpointOptions = {}) {
    const told: AcceptedAction[] = []
    const { holdpoint, store } = makeCluster().node({
      userActions: registry,
      ...options,
      hooks: {
        onUserActions: ({ accepted }) => void told.push(...accepted),
        ...options.hooks,
      },
    })
    const effects: Effect[] = []
    const tool = editTool(holdpoint, effects)
    const session = holdpoint.session('chat', ADA)
    let last: InteractionRecord | undefined
    const send = async (actions: unknown[], principal: { userId: string } = ADA, sessionId = 'chat') => {
      // As a client does: with the digest of the question that the call has open.
      const { interactions } = await holdpoint.interactions.list({ ...ADA, sessionId: 'chat', status: 'open' })
      const [open = last] = interactions
      last = open
      const shown = actions.map((action) =>
        open && (action as { toolCallId?: string }).toolCallId === open.toolCallId
          ? { shownDigest: shownDigest(open.request), ...(action as object) }
          : action,
      )
      const message = { type: 'user_actions' as const, clientId: 'tab', actions: shown as never }
      const { status, body } = await engineOf(holdpoint).userActions(principal, sessionId, message)
      return { status, body: body as { error?: { code: string; path?: string }; status?: string; replayed?: boolean } }
    }
    const logged = async () => (await person(holdpoint).events()).filter(({ type }) => type === 'user_action')
    /** A call that waits for its confirmation. */
    const waiting = async () => {
      const running = session.runTool(tool, { path: 'a.txt' }, { runId: 'run-1', toolCallId: 'call-1' })
      running.catch(() => {})
      const human = testHuman(holdpoint, ADA)
      return { running, question: await human.next(), human }
    }
    return { holdpoint, store, session, send, logged, told, effects, waiting }
  }

  test('an action is logged with its text for the model, and the host is notified once', async () => {
    const { holdpoint, session, send, logged, told } = world()
    await session.emit({ type: 'user_message', text: 'look at this' })
    expect(await send([uploaded('a "quoted" name', 'act-1')])).toEqual({ status: 200, body: { status: 'accepted' } })
    expect(await logged()).toMatchObject([{ actionId: 'act-1', message: 'Uploaded "a \\"quoted\\" name".' }])
    expect(told).toMatchObject([{ actionId: 'act-1', event: 'file_uploaded' }])
    const messages = toModelMessages(await readHistory(holdpoint, { sessionId: 'chat', ...ADA }))
    expect(messages).toEqual([{ role: 'user', content: 'look at this\n\nUploaded "a \\"quoted\\" name".' }])
  })

  test('a hundred actions of one message read the calls of their session as often as a single action [T30.4]', async () => {
    // With a long lease no heartbeat lists the nodes meanwhile.
    const { holdpoint, store, session } = world({ timing: { leaseMs: 60_000 } })
    await session.toolCall({ runId: 'r', toolCallId: 'call-2', toolName: 'other_tool' }).once('begin', () => 1)
    const listsFor = async (count: number) => {
      let lists = 0
      store.onCall(({ name }) => {
        if (name === 'list') lists++
        return undefined
      })
      const seen = { type: 'tool_event', toolName: 'other_tool', toolCallId: 'call-2', event: 'seen' } as const
      const actions = Array.from({ length: count }, (_, n) => ({ ...seen, actionId: `${count}-${n}` }))
      const message = { type: 'user_actions' as const, clientId: 'tab', actions }
      expect((await engineOf(holdpoint).userActions(ADA, 'chat', message)).status).toBe(200)
      return lists
    }
    expect(await listsFor(100)).toBe(await listsFor(1))
  })

  test('a repeated action is recognized, also fifty at once, and another action under the same id is rejected', async () => {
    const { session, send, logged, told } = world()
    await session.emit({ type: 'content', text: 'hello' })
    const replies = await Promise.all(Array.from({ length: 50 }, () => send([uploaded('a', 'act-1')])))
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    expect(replies.filter(({ body }) => !body.replayed)).toHaveLength(1)
    expect(await logged()).toHaveLength(1)
    expect(told).toHaveLength(1)
    expect(await send([uploaded('b', 'act-1')])).toMatchObject({
      status: 409,
      body: { error: { code: 'action_id_reused' } },
    })
    expect(await send([uploaded('c', 'act-2'), uploaded('d', 'act-2')])).toMatchObject({ status: 409 })
    expect(await send([uploaded('c', 'act-3'), uploaded('c', 'act-3')])).toMatchObject({ body: { replayed: true } })
    expect(await logged()).toHaveLength(2)
  })

  test('an action that approves a question needs the digest of what was shown, and leaves the question open without it [HP-SHN-3]', async () => {
    const { send, waiting } = world()
    const { running } = await waiting()
    for (const shownDigest of [undefined, 'of another question']) {
      expect(
        await send([onEdit('confirmed', undefined, { shownDigest, actionId: `act-${shownDigest}` })]),
      ).toMatchObject({
        status: 409,
        body: { error: { code: 'shown_differs' } },
      })
    }
    const filled = onEdit('filled', undefined, { shownDigest: undefined, actionId: 'act-3' })
    expect(await send([filled])).toMatchObject({ status: 409, body: { error: { code: 'shown_differs' } } })
    expect(await send([onEdit('confirmed', undefined, { actionId: 'act-2' })])).toMatchObject({ status: 200 })
    expect(await running).toMatchObject({ status: 'completed' })
  })

  test('a message with an unknown tool, event or payload is rejected as a whole with a code', async () => {
    const { send, logged, waiting } = world()
    await waiting()
    const cases: [action: unknown, path: string][] = [
      [onEdit('confirmed', undefined, { toolName: 'delete_all' }), 'actions.1.toolName'],
      [onEdit('confirmed', undefined, { toolName: 'constructor' }), 'actions.1.toolName'],
      [onEdit('explode'), 'actions.1.event'],
      [onEdit('__proto__'), 'actions.1.event'],
      [onEdit('request_fix'), 'actions.1.payload'],
      [onEdit('request_fix', { error: 7 }), 'actions.1.payload.error'],
      [onEdit('request_fix', { error: 'x', status: 'completed' }), 'actions.1.payload'],
      [onEdit('confirmed', { all: true }), 'actions.1.payload'],
      [{ type: 'global_event', event: 'confirmed' }, 'actions.1.event'],
      [{ type: 'global_event', event: 'toString' }, 'actions.1.event'],
    ]
    for (const [action, path] of cases) {
      expect(await send([uploaded('first'), action]), path).toMatchObject({
        status: 400,
        body: { error: { code: 'unknown_action', path } },
      })
    }
    expect(await logged()).toEqual([])
  })

  test('a forged user action for another’s tool call is rejected and has no effect', async () => {
    const { holdpoint, session, send, logged, effects, waiting } = world()
    await waiting()
    await holdpoint.session('bobs', BOB).emit({ type: 'content', text: 'hello' })
    // Another user's session, a session of one's own, and a call of another tool or run.
    expect(await send([onEdit('confirmed')], BOB)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    })
    const forged = [
      [onEdit('confirmed'), BOB, 'bobs'],
      [onEdit('seen', undefined, { toolName: 'other_tool' }), ADA, 'chat'],
      [onEdit('confirmed', undefined, { toolCallId: 'call-9' }), ADA, 'chat'],
      [onEdit('confirmed', undefined, { runId: 'run-9' }), ADA, 'chat'],
    ] as const
    for (const [action, who, where] of forged) {
      expect(await send([action], who, where)).toMatchObject({
        status: 404,
        body: { error: { code: 'unknown_tool_call' } },
      })
    }
    await expect(session.userActions([onEdit('seen', undefined, { toolName: 'other_tool' })])).rejects.toMatchObject({
      code: 'unknown_tool_call',
    })
    await expect(holdpoint.session('chat', BOB).userActions([onEdit('confirmed')])).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(effects.map(([what]) => what)).toEqual(['proposed'])
    expect(await logged()).toEqual([])
  })

  test('a tool event changes the status of its call', async () => {
    const { holdpoint, send, waiting } = world()
    await waiting()
    await send([onEdit('request_fix', { error: 'boom', at: { line: 3 } })])
    expect((await person(holdpoint).events()).slice(-2)).toMatchObject([
      { type: 'user_action', runId: 'run-1', message: 'The user asks for a fix of "boom" at line 3.' },
      { type: 'tool_call_update', toolCallId: 'call-1', runId: 'run-1', status: 'needs_fix' },
    ])
  })

  test('threat 24: an event that confirms runs the deferred effect, once, whatever is repeated', async () => {
    const { send, logged, effects, waiting } = world()
    const { running, question, human } = await waiting()
    const partial = onEdit('partial', { decisions: { h1: 'accept', h2: 'reject' } }, { actionId: 'act-1' })
    await Promise.all([send([partial]), send([partial]), send([partial])])
    expect(await running).toEqual({ status: 'completed', result: { applied: ['h1'], left: ['h2'] } })
    expect(await send([partial])).toMatchObject({ status: 200, body: { replayed: true } })
    // Under a new id it is a second confirmation: there is nothing left to confirm.
    expect(await send([onEdit('confirmed', undefined, { actionId: 'act-2' })])).toMatchObject({
      status: 410,
      body: { error: { code: 'superseded' } },
    })
    await expect(human.approve(question)).rejects.toMatchObject({ code: 'already_answered' })
    expect(effects.map(([what]) => what)).toEqual(['proposed', 'applied in part'])
    expect(await logged()).toHaveLength(1)
  })

  test('actions that are sent with a request of the host are logged once', async () => {
    const { session, logged } = world()
    await session.emit({ type: 'content', text: 'hello' })
    const actions = [uploaded('a', 'act-1'), uploaded('b', 'act-2')]
    expect((await session.userActions(actions)).map(({ message }) => message)).toEqual([
      'Uploaded "a".',
      'Uploaded "b".',
    ])
    expect(await session.userActions(actions)).toEqual([])
    expect(await session.userActions([])).toEqual([])
    await expect(session.userActions([{ type: 'global_event' } as never])).rejects.toMatchObject({
      code: 'invalid_message',
    })
    expect(await logged()).toHaveLength(2)
  })
})

test('buffered actions of the client are sent with its next request, and stay buffered after an error', async () => {
  const [, makeCluster] = clusters[0] ?? []
  if (!makeCluster) throw new Error('no store')
  const { holdpoint } = makeCluster().node({ userActions: registry, authenticate: () => ADA })
  const session = holdpoint.session('chat', ADA)
  await session.emit({ type: 'content', text: 'hello' })
  const server = createServer(toNodeHandler(holdpoint))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const headers = () => ({ authorization: 'Bearer of-ada' })
  const client = createHoldpointClient({ sessionId: 'chat', transport: sse({ url, headers }) })
  onTestFinished(() => client.close())
  const heard: string[] = []
  client.onEvent((event) => {
    if (event.type === 'user_action') heard.push(String((event as { message?: unknown }).message))
  })

  client.bufferAction(uploaded('a'))
  client.bufferAction(uploaded('b'))
  await client.sendUserActions()
  await until(() => heard.length === 2, 'both in the stream')
  expect(heard).toEqual(['Uploaded "a".', 'Uploaded "b".'])

  client.bufferAction({ type: 'global_event', event: 'unknown' })
  await expect(client.sendUserActions()).rejects.toMatchObject({ code: 'unknown_action' })
  expect(client.takeActions()).toMatchObject([{ event: 'unknown' }])

  client.bufferAction(uploaded('c'))
  const taken = client.takeActions()
  expect(await session.userActions(taken)).toMatchObject([{ message: 'Uploaded "c".' }])
  expect(client.takeActions()).toEqual([])
})
