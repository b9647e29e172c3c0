import { expect, test, vi } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { ASKED_AT, questionRow } from '../../../test/engine/support/question-row.ts'
import { putCall } from '../calls/claim-call.ts'
import { cancelQuestion } from '../ending/cancel.ts'
import { inboxPage } from '../inbox/inbox-page.ts'
import type { CallRow, QuestionRow } from '../state/rows.ts'
import { sessionSnapshot } from './snapshot.ts'

const record = { tenant: '', sessionId: 'chat', userId: 'ada' }
const ada = { userId: 'ada' }
const CALL = 'run-1/call-1'
const answer = { answerId: 'a', digest: 'd', at: 0, by: { clientId: 'tab' }, action: 'approve' } as const
const over = { status: 'expired', outcome: { type: 'refused', outcome: 'expired' } } as const

function world(options: Parameters<typeof bareKernel>[0] = {}) {
  const bare = bareKernel(options)
  const { kernel, partition } = bare
  // Nothing but reading watches the clock here.
  kernel.scheduler.stop()
  const snapshot = (principal: { userId: string } = ada) => sessionSnapshot(kernel, principal, record)
  return {
    ...bare,
    snapshot,
    shown: async () => (await snapshot()).interactions.map(({ request }) => request.interactionId),
    async ask(id: string, changes: Partial<QuestionRow> = {}) {
      const request = { ...questionRow().request, interactionId: id } as QuestionRow['request']
      return await bare.ask({ id, request, ...changes })
    },
    call: (changes: Partial<CallRow>) =>
      kernel.transact(partition, async (tx) => {
        await tx.read(['call', CALL])
        const base = { runId: 'run-1', toolCallId: 'call-1', toolName: 't', registered: true, fence: 1, startedAt: 0 }
        putCall(tx, CALL, { ...base, status: 'running', keys: {}, inputDigest: 'd', ...changes })
      }),
    page: async (principal: { userId: string; tenant?: string }, options: { after?: string; limit?: number } = {}) =>
      await inboxPage(kernel, principal, options),
  }
}

test('the snapshot of an empty session has no runs and no interactions', async () => {
  const { snapshot, clock } = world()
  expect(await snapshot()).toMatchObject({
    serverTime: new Date(clock.now()).toISOString(),
    you: { userId: 'ada', can: ['read', 'respond', 'remember', 'cancel', 'extend', 'connect', 'inbox'] },
    runs: [],
    interactions: [],
  })
  expect((await snapshot({ userId: 'eve' })).you).toEqual({ userId: 'eve', can: [] })
})

test('a snapshot lists open questions by their time, then answered ones, then ended ones, the newest last', async () => {
  const { ask, shown } = world()
  const later = { askedAt: ASKED_AT + 5 }
  await ask('q1', later)
  await ask('q2', { askedAt: ASKED_AT })
  await ask('q3', { status: 'answered', answer, askedAt: ASKED_AT })
  await ask('q4', { status: 'deferred', askedAt: ASKED_AT + 3 })
  await ask('q5', { status: 'timing_out', ...later })
  // Ids sort newest first.
  await ask('q6', over)
  await ask('q7', over)
  expect(await shown()).toEqual(['q2', 'q4', 'q1', 'q3', 'q5', 'q7', 'q6'])
})

test('a snapshot contains the newest two hundred ended questions', async () => {
  const { ask, shown } = world({ limits: { openQuestions: 100 } })
  for (let n = 100; n < 305; n++) await ask(`q${n}`, over)
  const ids = await shown()
  expect([ids.length, ids.at(-1), ids[0]]).toEqual([200, 'q100', 'q299'])
})

test('a snapshot of large ended questions reads only those that it contains, and one page more [R9h.5]', async () => {
  const { ask, shown, store } = world()
  const large = { ...questionRow().request, args: { text: 'x'.repeat(200_000) } } as QuestionRow['request']
  for (let n = 100; n < 300; n++) {
    await ask(`q${n}`, { ...over, request: { ...large, interactionId: `q${n}` } as QuestionRow['request'] })
  }
  let read = 0
  const pages = { list: store.list, snapshot: store.snapshot }
  const count = (rows: readonly { data: string }[]) => {
    for (const { data } of rows) read += data.length
  }
  store.list = async (...asked) => {
    const rows = await pages.list(...asked)
    count(rows)
    return rows
  }
  store.snapshot = async (...asked) => {
    const page = await pages.snapshot(...asked)
    count(page.rows)
    return page
  }
  const ids = await shown()
  expect(ids.at(-1)).toBe('q100')
  expect(ids.length).toBeGreaterThan(15)
  // 200 of them have 40 MB.
  expect(read).toBeLessThan(40 * 201_000)
})

test('a question that ends while a snapshot is read appears once, as it was at the cursor', async () => {
  const { ask, snapshot, store, kernel, partition } = world()
  await ask('q1')
  const { list } = store
  store.list = async (...asked) => {
    if (asked[1] === 'ended') await cancelQuestion(kernel, partition, 'q1')
    return await list(...asked)
  }
  const { interactions, cursor } = await snapshot()
  expect(interactions.map(({ request, closed }) => [request.interactionId, closed])).toEqual([['q1', undefined]])
  const { head } = await store.readLog(partition, { from: 1, limit: 10 })
  expect(Number(cursor.split('.')[1])).toBeLessThan(head)
})

test('a snapshot shows of a question its request and its outcome only', async () => {
  const { ask, snapshot, clock } = world()
  const response = { type: 'interaction_response' } as never
  const closed = { type: 'interaction_closed' } as never
  await ask('q1', { connected: ['github'], response, closed, expiresAt: clock.now() + 90_000 })
  const { request } = await ask('q2', { status: 'deferred', expiresAt: Date.parse(questionRow().request.expiresAt) })
  const [first, second] = (await snapshot()).interactions
  expect(first).toEqual({
    request: { ...request, interactionId: 'q1' },
    expiresAt: new Date(clock.now() + 90_000).toISOString(),
    connected: ['github'],
    response,
    closed,
  })
  expect(second).toEqual({ request, deferred: true })
})

test('an overdue question is not shown as open, even if no process has expired it yet', async () => {
  const { ask, snapshot, clock, kernel, partition } = world()
  const { request } = await ask('q1')
  await ask('q2', { expiresAt: clock.now() + 60_001 })
  await kernel.transact(partition, async (tx) => {
    await tx.read(['session', 'session'])
    tx.put('session', 'session', { ...record, createdAt: 0 })
  })
  await clock.jump(60_000)
  const { interactions, serverTime } = await snapshot()
  expect(interactions.map((one) => [one.request.interactionId, one.closed?.reason])).toEqual([
    ['q2', undefined],
    [request.interactionId, 'expired'],
  ])
  expect(serverTime).toBe(new Date(clock.now()).toISOString())
})

test('a snapshot reads the session once if nothing is overdue', async () => {
  const { ask, snapshot, store } = world()
  await ask('q1')
  await ask('q2', { status: 'answered', answer, expiresAt: 0 })
  const read = vi.spyOn(store, 'snapshot')
  await snapshot()
  expect(read).toHaveBeenCalledOnce()
})

test('a snapshot shows the status of each run, and a reason only if there is one', async () => {
  const { put, snapshot } = world()
  await put('run', 'r1', { runId: 'r1', status: 'awaiting_input', waiting: { q1: 'input' } })
  await put('idle', 'r2', { runId: 'r2', status: 'cancelled', reason: 'enough', waiting: {} })
  expect((await snapshot()).runs).toEqual([
    { runId: 'r1', status: 'awaiting_input' },
    { runId: 'r2', status: 'cancelled', reason: 'enough' },
  ])
})

const answered = { status: 'answered', answer, registered: true, call: CALL } as const
const complete = { type: 'complete' } as const
test.each<[string, Partial<QuestionRow>, Partial<CallRow> | undefined, true | undefined]>([
  ['its tool runs after the answer', answered, {}, true],
  ['its tool received the answer and continues', { ...answered, outcome: complete }, {}, true],
  ['its tool is suspended at another question', answered, { status: 'suspended' }, true],
  ['its tool has finished', answered, { status: 'finished' }, undefined],
  ['its tool has not begun behind its gate', answered, { inputDigest: undefined } as never, undefined],
  ['its call was removed', answered, undefined, undefined],
  ['its call is not registered', { ...answered, registered: false }, {}, undefined],
  ['it has no answer', { registered: true, call: CALL }, {}, undefined],
  [
    'it was answered and then cancelled',
    { ...answered, outcome: { type: 'refused', outcome: 'cancelled' } },
    {},
    undefined,
  ],
  ['its answer became a follow-up', { ...answered, outcome: { type: 'follow_up' } }, {}, undefined],
])('a question shows whether its call continues: %s', async (_when, changes, call, running) => {
  const { ask, call: write, snapshot } = world()
  if (call) await write(call)
  await ask('q1', changes)
  expect((await snapshot()).interactions[0]?.running).toBe(running)
})

test('a settled question does not show the call as running because of another question', async () => {
  const { ask, call, snapshot } = world()
  await call({})
  await ask('q1', { ...over, registered: true, call: CALL })
  await ask('q2', answered)
  expect((await snapshot()).interactions.map(({ running }) => running)).toEqual([true, undefined])
})

test('an inbox lists by pages what its user may answer in all sessions of the tenant', async () => {
  const { ask, page } = world()
  const audience = { request: { ...questionRow().request, audience: ['boss'] } as QuestionRow['request'] }
  await ask('q1', audience)
  await ask('q2', { sessionId: 'other', ...audience })
  await ask('q3')
  const all = await page({ userId: 'boss' })
  expect(all.items.map(({ sessionId }) => sessionId)).toEqual(['chat', 'other'])
  expect(all.items[0]).toEqual({
    sessionId: 'chat',
    interaction: expect.objectContaining({ request: audience.request }),
    you: { userId: 'boss', can: ['respond', 'extend'] },
  })
  expect(all).not.toHaveProperty('next')
  const first = await page({ userId: 'boss' }, { limit: 1 })
  expect(first).toMatchObject({ items: [{ sessionId: 'chat' }], next: expect.any(String) })
  const second = await page({ userId: 'boss' }, { limit: 1, after: first.next as string })
  expect(second.items.map(({ sessionId }) => sessionId)).toEqual(['other'])
  expect((await page({ userId: 'boss', tenant: 'other' })).items).toEqual([])
  expect((await page({ userId: 'ada' })).items).toHaveLength(3)
})

test('an inbox page contains at most fifty questions', async () => {
  const { ask, page } = world()
  for (let n = 100; n < 155; n++) await ask(`q${n}`)
  expect((await page(ada)).items).toHaveLength(50)
  expect((await page(ada, { limit: 1_000 })).items).toHaveLength(50)
})
