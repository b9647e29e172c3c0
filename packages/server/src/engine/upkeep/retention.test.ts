import { expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { putCall } from '../calls/claim-call.ts'
import { putQuestion, readQuestion } from '../records/question-records.ts'
import type { CallRow, QuestionRow } from '../state/rows.ts'
import { retain } from './retention.ts'

const DAY = 24 * 60 * 60_000
const KEEP = 10 * DAY
const CALL = 'run-1/call-1'

function world(events?: number) {
  const bare = bareKernel({ retention: { endedMs: KEEP, ...(events !== undefined && { events }) } })
  const { kernel, clock, store, partition } = bare
  const call = (changes: Partial<CallRow> = {}): CallRow => ({
    ...{ runId: 'run-1', toolCallId: 'call-1', toolName: 't', registered: false, status: 'running' },
    ...{ fence: 1, startedAt: clock.now(), keys: { k: { interactionId: 'q1', attempt: 1, digest: 'd' } } },
    ...changes,
  })
  return {
    ...bare,
    retain: () => retain(kernel),
    /** Advances the clock by this time after the row was written, and runs the retention. */
    async after(time: number) {
      // No alarm of its own: what happens is what this test asks for.
      kernel.scheduler.stop()
      await clock.jump(time)
      return await retain(kernel)
    },
    call: (changes?: Partial<CallRow>) =>
      kernel.transact(partition, async (tx) => {
        await tx.read(['call', CALL])
        putCall(tx, CALL, call(changes))
      }),
    ids: async (kind: string) => (await store.list(partition, kind)).map(({ id }) => id),
    due: async (kind: string) => (await store.due(kind)).nextDue,
    write: (changes: Partial<QuestionRow>) => bare.ask(changes),
    rewrite: (change: (row: QuestionRow) => QuestionRow) =>
      kernel.transact(partition, async (tx) => {
        const row = await readQuestion(tx, 'q1')
        if (row) putQuestion(tx, change(row))
      }),
  }
}
const over = { status: 'expired', outcome: { type: 'refused', outcome: 'expired' } } as const
const answer = { answerId: 'a', digest: 'd', at: 0, by: { clientId: 'tab' }, action: 'approve' } as const

test('an ended record is removed after its retention time, and not before', async () => {
  const { write, ids, after, retain, clock } = world()
  await write(over)
  await after(KEEP - 1)
  expect(await ids('ended')).toEqual(['q1'])
  await clock.jump(1)
  expect(await retain()).toBe(60 * 60_000)
  expect(await ids('ended')).toEqual([])
})

test('an open question is kept, however old it is', async () => {
  const { write, ids, after } = world()
  await write({})
  await after(100 * KEEP)
  expect(await ids('question')).toEqual(['q1'])
})

test('one sweep removes records of all kinds on any number of pages', async () => {
  const { kernel, ids, after, partition } = world()
  await kernel.transact(partition, async (tx) => {
    await tx.read(['session', 'session'])
    for (let n = 0; n < 250; n++) tx.put('action', `a${n}`, { digest: 'd', at: 0 }, { due: tx.keepUntil })
    tx.put('idle', 'run-1', { runId: 'run-1', status: 'completed', waiting: {} }, { due: tx.keepUntil })
    tx.put('revoked', 'g', { at: 0 }, { due: tx.keepUntil })
    tx.put('flow', 'f', { flowId: 'f', integration: 'i', scopes: [], until: 0 }, { due: tx.keepUntil })
  })
  await after(KEEP)
  for (const kind of ['action', 'idle', 'revoked', 'flow']) expect(await ids(kind), kind).toEqual([])
})

test('a secret is removed with its answer, and other secrets are kept', async () => {
  const { write, ids, put, after } = world()
  const secret = { keyId: '1', iv: '', data: '' }
  await put('secret', 'one', secret)
  await put('secret', 'two', secret)
  const input = { password: 'secret:one', note: 'two', count: 2, empty: 'secret:' }
  await write({ ...over, answer: { ...answer, input } })
  await after(KEEP)
  expect(await ids('secret')).toEqual(['two'])
})

test('a call is removed with its journal, and the journals of other calls are kept', async () => {
  const { call, ids, put, after } = world()
  await call({ keys: {} })
  for (const id of [`${CALL}/once a`, `${CALL}/get b`, `${CALL}0/once a`, 'run-1/call-0/once a']) {
    await put('journal', id, { type: 'value' })
  }
  await after(KEEP)
  expect(await ids('call')).toEqual([])
  expect(await ids('journal')).toEqual(['run-1/call-0/once a', `${CALL}0/once a`])
})

test('a call that still has to be completed is checked again a day later', async () => {
  const { call, ids, due, after, kernel, partition, clock, retain } = world()
  await call({ registered: true, keys: {} })
  // As an older release wrote it.
  await kernel.transact(partition, async (tx) => {
    const [row] = await tx.read(['call', CALL])
    if (row) tx.put('call', CALL, row, { due: tx.now })
  })
  await retain()
  expect([await ids('call'), await due('call')]).toEqual([[CALL], clock.now() + DAY])
  await call({ registered: true, keys: {}, status: 'finished' })
  await after(KEEP)
  expect(await ids('call')).toEqual([])
})

test.each([
  ['an open question', {}],
  ['an open question of a gate', { waiter: 'gate' }],
  ['an answered question with a waiter', { status: 'answered', answer }],
  ['a recent answer to a gate', { status: 'answered', waiter: 'gate', answer: { ...answer, at: 9 ** 15 } }],
  ['a gate without an answer', { status: 'answered', waiter: 'gate' }],
] satisfies [string, Partial<QuestionRow>][])('a call is kept as long as its question: %s', async (_what, changes) => {
  const { call, write, ids, after, due, clock } = world()
  await call()
  await write(changes)
  await after(KEEP)
  expect([await ids('call'), await ids('question')]).toEqual([[CALL], ['q1']])
  expect(await due('call')).toBe(clock.now() + DAY)
})

test('an unclaimed answer of a gate is removed with its call and its secrets', async () => {
  const { call, write, ids, put, after, rewrite, clock } = world()
  await call()
  await put('secret', 'one', { keyId: '1', iv: '', data: '' })
  await write({ waiter: 'gate', status: 'answered' })
  const at = clock.now()
  await rewrite((row) => ({ ...row, answer: { ...answer, at, input: { password: 'secret:one' } } }))
  await after(KEEP)
  expect([await ids('call'), await ids('question'), await ids('secret')]).toEqual([[], [], []])
})

test('the record of a sent message stays until its question is dropped, because the message may still change', async () => {
  const { write, ids, kernel, partition, after, rewrite } = world()
  const sent = { interactionId: 'q1', surface: 'email', userId: 'ada', ref: 'm1', reminder: 0 }
  await kernel.transact(partition, async (tx) => {
    await tx.read(['sent', 'q1/email'])
    tx.put('sent', 'q1/email', sent, { due: tx.keepUntil })
  })
  await write({})
  await after(KEEP)
  expect([await ids('question'), await ids('sent')]).toEqual([['q1'], ['q1/email']])
  await rewrite((row) => ({ ...row, ...over }))
  await after(DAY)
  expect([await ids('ended'), await ids('sent')]).toEqual([['q1'], ['q1/email']])
  await after(KEEP)
  await after(DAY)
  expect([await ids('ended'), await ids('sent')]).toEqual([[], []])
})

test('an uploaded file is kept as long as its question can be answered with it', async () => {
  const { write, ids, put, kernel, partition, after, due, clock, rewrite } = world()
  const upload = { userId: 'ada', interactionId: 'q1', fieldId: 'f', name: 'a', type: 'b', size: 1, at: 0 }
  await put('upload', 'h', upload)
  await kernel.transact(partition, async (tx) => tx.put('upload', 'h', upload, { due: tx.keepUntil }))
  await write({})
  await after(KEEP)
  expect([await ids('upload'), await due('upload')]).toEqual([['h'], clock.now() + DAY])
  await rewrite((row) => ({ ...row, ...over }))
  await after(DAY)
  expect(await ids('upload')).toEqual([])
})

test('the log of a session is trimmed to the configured number of events after a write', async () => {
  const { kernel, partition, store, retain } = world(3)
  const floor = async (of = partition) => (await store.readLog(of, { from: 1, limit: 1 })).floor
  const write = (of: string, count: number) =>
    kernel.transact(of, async (tx) => {
      for (let n = 0; n < count; n++) tx.event({ type: 'content', text: `${n}` } as never)
    })
  await write(partition, 3)
  await write('other', 8)
  await retain()
  expect([await floor(), await floor('other')]).toEqual([1, 6])
  await write(partition, 2)
  await retain()
  expect(await floor()).toBe(3)
  expect(kernel.touched.size).toBe(0)
})

test('a log is not trimmed without a configured number of events', async () => {
  const { kernel, partition, store, retain } = world()
  await kernel.transact(partition, async (tx) => {
    for (let n = 0; n < 50; n++) tx.event({ type: 'content', text: `${n}` } as never)
  })
  kernel.touched.add(partition)
  await retain()
  expect((await store.readLog(partition, { from: 1, limit: 1 })).floor).toBe(1)
})
