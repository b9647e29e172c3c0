import { expect, test } from 'vitest'
import { bareKernel, IDENTITY } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import { callRefs, claimCall, claimSession } from '../calls/claim-call.ts'
import { presencePartition, sessionPartition, userPartition } from '../records/keys.ts'
import type { Answered, QuestionRow } from '../state/rows.ts'
import { eraseSession, eraseUser } from './erase.ts'

const GRACE = { userId: 'grace', name: 'Grace Boss', clientId: 'her tab' }
const answer: Answered = { answerId: 'a', digest: '', at: 1, by: GRACE, action: 'approve' }
const request = { ...questionRow().request, audience: ['grace', 'bob'] } as QuestionRow['request']

/** Ada's sessions, in which Grace may answer. */
function world() {
  const room = bareKernel()
  const { kernel, store } = room
  return {
    ...room,
    session: (sessionId: string, userId = 'ada') =>
      kernel.transact(sessionPartition('', sessionId), async (tx) => {
        await tx.read(['session', 'session'])
        claimSession(tx, { identity: { ...IDENTITY, sessionId, userId } }, null)
      }),
    event: (event: object) => store.commit({ partition: room.partition, events: [JSON.stringify(event)] }),
    /** All that the store has of a session, as text. */
    async everything() {
      const kinds = ['question', 'ended', 'call', 'named', 'delivery'] as const
      const lists = await Promise.all(kinds.map((kind) => store.list(room.partition, kind)))
      return JSON.stringify([lists.flat().map(({ data }) => data), await room.log()])
    },
  }
}

test('an erased session leaves no data, and its waiters and running tools are stopped', async () => {
  const { kernel, store, partition, execution, put, session } = world()
  await session('chat')
  await session('other')
  const presence = presencePartition('', 'chat')
  const client = { clientId: 'tab', userId: 'ada', supported: true, enabled: true, until: 4e12 }
  await put('presence', 'tab', client, presence)
  const at = execution({}, { registered: true })
  await kernel.transact(partition, async (tx) => claimCall(kernel, tx, at, await tx.read(...callRefs(at))))
  await eraseSession(kernel, '', 'chat')
  expect(at.signal.reason).toMatchObject({ outcome: 'cancelled', reason: 'erased' })
  for (const kind of ['session', 'call', 'run', 'idle'] as const) expect(await store.list(partition, kind)).toEqual([])
  expect(await store.list(presence, 'presence')).toEqual([])
  expect(await store.list(sessionPartition('', 'other'), 'session')).toHaveLength(1)
})

test('an erased user loses all sessions, on any number of pages, and all remembered approvals', async () => {
  const { kernel, store, put, session } = world()
  for (let n = 0; n < 205; n++) await session(`session-${n}`)
  await session('bobs', 'bob')
  const own = userPartition('', 'ada')
  await put('tool_setting', 'tool', { tool: 'tool', choice: 'all', at: 1 }, own)
  expect(await eraseUser(kernel, '', 'ada')).toBe(205)
  expect(await store.list(own, 'tool_setting')).toEqual([])
  expect(await store.list(sessionPartition('', 'bobs'), 'session')).toHaveLength(1)
  expect(await eraseUser(kernel, '', 'ada')).toBe(0)
})

test('an erased user is removed from other sessions, whatever state the questions have', async () => {
  const { kernel, ask, row, put, session, event, everything, log } = world()
  await session('chat')
  await ask({ id: 'open', request })
  await ask({ id: 'over', request, answer, status: 'answered', outcome: { type: 'complete', value: { by: GRACE } } })
  const call = { runId: 'r', toolCallId: 'c', toolName: 't', registered: true, fence: 1, keys: {}, startedAt: 1 }
  await put('call', 'r/c', { ...call, status: 'finished', result: { status: 'completed', result: { by: GRACE } } })
  await event({ type: 'interaction_response', interactionId: 'over', respondedBy: GRACE })
  await event({ type: 'interaction_response', interactionId: 'over', respondedBy: { userId: 'bob', clientId: 'b' } })
  await event({ type: 'content', text: 'says "grace"' })
  expect(await eraseUser(kernel, '', 'grace')).toBe(0)
  expect(await everything()).not.toMatch(/Grace|her tab/)
  expect(await row('question', 'open')).toMatchObject({ status: 'open', request: { audience: ['bob'] } })
  expect(await row('ended', 'over')).toMatchObject({ answer: { action: 'approve', by: { clientId: 'erased' } } })
  expect(await row('call', 'r/c')).toMatchObject({ status: 'finished', result: { status: 'completed' } })
  expect(await log()).toEqual([
    { type: 'interaction_response', interactionId: 'over', respondedBy: { clientId: 'erased' } },
    { type: 'interaction_response', interactionId: 'over', respondedBy: { userId: 'bob', clientId: 'b' } },
    // The text of another user stays.
    { type: 'content', text: 'says "grace"' },
  ])
  // Bob can still be found here, and Grace no longer.
  expect([await row('named', 'bob'), await row('named', 'grace')]).toEqual([{ userId: 'bob' }, null])
})

test('the uploads of an erased user are removed, except the files of an answer, which remain without a name', async () => {
  const { kernel, ask, row, put, session } = world()
  await session('chat')
  const upload = (userId: string) => ({ fieldId: 'file', userId })
  const file = {
    interactionId: 'open',
    fieldId: 'file',
    name: 'a.txt',
    type: 'text/plain',
    size: 1,
    at: 1,
    bytes: 'YQ==',
  }
  for (const handle of ['unsent', 'given']) await put('upload', handle, { ...file, userId: 'grace' })
  await put('upload', 'bobs', { ...file, userId: 'bob' })
  await ask({ id: 'open', request, uploads: { unsent: upload('grace'), bobs: upload('bob') } })
  const given = { ...answer, action: 'submit', input: { file: ['given'] } } as Answered
  await ask({ id: 'over', request, answer: given, status: 'answered', uploads: { given: upload('grace') } })
  await eraseUser(kernel, '', 'grace')
  expect(await row('question', 'open')).toMatchObject({ uploads: { bobs: upload('bob') } })
  expect(JSON.stringify([await row('question', 'open'), await row('ended', 'over')])).not.toMatch(/grace/)
  expect(await row('upload', 'unsent')).toBeNull()
  expect(await row('upload', 'given')).toMatchObject({ userId: '', bytes: 'YQ==' })
  expect(await row('upload', 'bobs')).toMatchObject({ userId: 'bob' })
})

test('an erased user is removed from any number of questions, and from a log longer than one page', async () => {
  const { kernel, ask, store, partition, event, everything } = world()
  for (let n = 0; n < 101; n++) await ask({ id: `q-${n}`, request })
  const filler = Array.from({ length: 499 }, () => JSON.stringify({ type: 'content', text: '-' }))
  await event({ type: 'interaction_response', respondedBy: GRACE })
  await store.commit({ partition, events: filler })
  await event({ type: 'interaction_response', respondedBy: GRACE })
  await store.commit({ partition, events: filler })
  await event({ type: 'interaction_response', respondedBy: GRACE })
  await eraseUser(kernel, '', 'grace')
  expect(await everything()).not.toMatch(/grace/i)
})

test('an erasure that fails rejects, and the next call completes it', async () => {
  const { kernel, ask, store, row, session } = world()
  await session('chat')
  await ask({ id: 'open', request })
  const { commit } = store
  store.commit = (item) =>
    item.deletes?.some(({ kind }) => kind === 'named') ? Promise.reject(new Error('the disk is full')) : commit(item)
  await expect(eraseUser(kernel, '', 'grace')).rejects.toThrow('the disk is full')
  expect(await row('named', 'grace')).toEqual({ userId: 'grace' })
  store.commit = commit
  expect(await eraseUser(kernel, '', 'grace')).toBe(0)
  expect(await row('named', 'grace')).toBeNull()
})
