import { expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { ASKED_AT, questionRow } from '../../../test/engine/support/question-row.ts'
import { audienceOf, isLive, isPending } from '../state/question.ts'
import type { QuestionRow, QuestionStatus } from '../state/rows.ts'
import { accountTag, inboxTag, namedTag, ownerTag, pendingTag, questionTag } from './keys.ts'
import { placement, readQuestion } from './question-records.ts'

const KEEP = 5_000_000
const place = (changes: Partial<QuestionRow>) => placement(questionRow(changes), KEEP)
const request = questionRow().request
const connect = {
  kind: 'connect',
  request: { type: 'auth_needed', integrations: ['github', 'slack'] } as QuestionRow['request'],
} satisfies Partial<QuestionRow>
const complete = { type: 'complete' } as const

test.each([
  ['open', true, true],
  ['answered', true, false],
  ['timing_out', true, false],
  ['deferred', true, true],
  ['expired', false, false],
  ['cancelled', false, false],
  ['superseded', false, false],
  ['failed', false, false],
  ['answered_late', false, false],
] as [QuestionStatus, boolean, boolean][])(
  'a question that is %s: may change: %s, may be answered: %s',
  (status, live, pending) => {
    expect([isLive(questionRow({ status })), isPending(questionRow({ status }))]).toEqual([live, pending])
    expect(isLive(questionRow({ status, outcome: complete }))).toBe(false)
    expect(place({ status }).kind).toBe(live ? 'question' : 'ended')
  },
)

test('an ended question has only a retention time', () => {
  expect(place({ status: 'answered', outcome: complete, owner: 'me', lookAgainAt: 7 })).toEqual({
    kind: 'ended',
    due: KEEP,
    tags: [],
  })
})

test('an open question is due at its deadline, and any other at its next check, or never', () => {
  expect(place({ lookAgainAt: 7 }).due).toBe(ASKED_AT + 60_000)
  expect(place({ status: 'answered', lookAgainAt: 7 }).due).toBe(7)
  expect(place({ status: 'timing_out', lookAgainAt: 0 }).due).toBe(0)
  expect(place({ status: 'deferred' }).due).toBeNull()
})

test('a question is in the inboxes of its owner and audience, once each, while it can be answered', () => {
  const asked = { request: { ...request, audience: ['bob', 'ada'] } as QuestionRow['request'] }
  const inboxes = [inboxTag('', 'ada'), inboxTag('', 'bob')]
  expect(place(asked).tags).toEqual([questionTag('q1'), pendingTag(''), ...inboxes])
  expect(place({ ...asked, status: 'deferred' }).tags).toEqual([questionTag('q1'), pendingTag(''), ...inboxes])
  expect(place({ ...asked, status: 'answered' }).tags).toEqual([questionTag('q1')])
})

test('a question for accounts is listed under each account while it can be answered', () => {
  const accounts = ['github', 'slack'].map((integration) => accountTag('', 'ada', integration))
  expect(place(connect).tags).toEqual([questionTag('q1'), pendingTag(''), inboxTag('', 'ada'), ...accounts])
  expect(place({ ...connect, status: 'answered' }).tags).toEqual([questionTag('q1')])
})

test('a question of a bare call is listed under its waiting process, and one of a registered call is not', () => {
  const owned = (changes: Partial<QuestionRow>) => place({ owner: 'me', ...changes }).tags.includes(ownerTag('me'))
  expect(owned({})).toBe(true)
  expect(owned({ status: 'answered' })).toBe(true)
  expect(owned({ registered: true })).toBe(false)
  expect(owned({ waiter: 'none' })).toBe(false)
  expect(owned({ waiter: 'suspended' })).toBe(false)
  expect(place({ waiter: 'inline' }).tags).toEqual([questionTag('q1'), pendingTag(''), inboxTag('', 'ada')])
})

test('a question for accounts has no audience', () => {
  expect(audienceOf(questionRow())).toEqual([])
  expect(audienceOf(questionRow({ request: { ...request, audience: ['bob'] } as QuestionRow['request'] }))).toEqual([
    'bob',
  ])
  expect(audienceOf(questionRow({ request: { ...connect.request, audience: ['bob'] } as never }))).toEqual([])
})

test('a question is stored as open or as ended, and found in both', async () => {
  const { kernel, store, ask } = bareKernel()
  const places = async () => [
    (await store.list('s//chat', 'question')).length,
    (await store.list('s//chat', 'ended')).length,
  ]
  const found = () => kernel.transact('s//chat', (tx) => readQuestion(tx, 'q1'))
  expect(await found()).toBeNull()
  const asked = await ask()
  expect(await places()).toEqual([1, 0])
  expect(await found()).toEqual(asked)
  await ask({ status: 'expired' })
  expect(await places()).toEqual([0, 1])
  expect(await found()).toMatchObject({ status: 'expired' })
})

test('a question is listed under every other user whom it names, and not under its owner', async () => {
  const { store, ask } = bareKernel()
  const named = async () => (await store.list('s//chat', 'named')).map(({ id }) => id)
  const answer = { answerId: 'a', digest: 'd', at: 1, action: 'approve' as const }
  await ask({ answer: { ...answer, by: { clientId: 'tab' } } })
  expect(await named()).toEqual([])
  const asked = { request: { ...request, audience: ['bob', 'ada'] } as QuestionRow['request'] }
  await ask({ ...asked, answer: { ...answer, by: { clientId: 'tab', userId: 'eve' } } })
  expect(await named()).toEqual(['bob', 'eve'])
  for (const userId of ['bob', 'eve']) expect((await store.byTag(namedTag('', userId))).rows).toHaveLength(1)
})
