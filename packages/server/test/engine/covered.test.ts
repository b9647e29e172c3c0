import { seeded } from '@holdpoint/conformance/seeded'
import { createHoldpoint, type Holdpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { openStore } from '../nodes/open-store.ts'
import { onStores } from '../nodes/places.ts'
import { heldStore } from './support/held-store.ts'
import { ADA, BOB, call, person } from './support/world.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const SOON = { timeout: 15_000 }
const scopes = ['once', 'session', 'always'] as const
const ROUNDS = 4

/** A remembered approval settles the open questions that it covers, in each store. */
function suite(place: () => () => Store) {
  const start = (store: Store, options: HoldpointOptions = {}) => {
    const holdpoint = createHoldpoint({ store, name: crypto.randomUUID(), logger: quiet, ...options })
    onTestFinished(() => holdpoint.close())
    return holdpoint
  }
  /** Two nodes on one store. */
  const nodes = (): [Holdpoint, Holdpoint] => {
    const make = place()
    return [start(make()), start(make())]
  }
  const ask = (
    holdpoint: Holdpoint,
    id: string,
    { session = 'chat', key = 'k' as string | { round: number }, who = ADA } = {},
  ) =>
    holdpoint
      .session(session, who)
      .toolCall(call(id))
      .tryApprove({ prompt: `${id}?`, rememberAs: key, args: { id }, scopes })

  const idle = (holdpoint: Holdpoint, session = 'chat') =>
    vi.waitFor(async () => expect(await engineOf(holdpoint).store.list(`s//${session}`, 'delivery')).toEqual([]), SOON)

  test.each(['session', 'always'] as const)(
    'an approval for "%s" settles open questions with the same key at once [HP-ANS-13]',
    async (approvalScope) => {
      const [a, b] = nodes()
      const waiting = [ask(a, 'one'), ask(b, 'two'), ask(a, 'three')]
      const other = ask(b, 'other', { key: 'another key' })
      const mine = person(a)
      const questions = await mine.pending(4)
      const first = questions.find(({ toolCallId }) => toolCallId === 'one')!
      expect(await mine.answer(first, { action: 'approve', approvalScope })).toMatchObject({ status: 200 })
      // Waiters in both processes continue, and report that no person answered their own question.
      const [own, ...covered] = await Promise.all(waiting)
      expect(own).toMatchObject({ outcome: 'approved', scope: approvalScope, remembered: false })
      for (const one of covered)
        expect(one).toMatchObject({ outcome: 'approved', scope: approvalScope, remembered: true })
      expect(covered.map((one) => one.outcome === 'approved' && one.args)).toEqual([{ id: 'two' }, { id: 'three' }])
      expect((await person(a).pending(1)).map(({ toolCallId }) => toolCallId)).toEqual(['other'])
      // All clients read the same event: who answered, and under which approval.
      const responses = (await mine.events()).filter(({ type }) => type === 'interaction_response')
      expect(responses.map(({ toolCallId, coveredBy }) => [toolCallId, coveredBy]).sort()).toEqual([
        ['one', undefined],
        ['three', first.interactionId],
        ['two', first.interactionId],
      ])
      for (const response of responses)
        expect(response).toMatchObject({
          action: 'approve',
          approvalScope,
          respondedBy: { userId: 'ada', clientId: 'tab' },
        })
      await idle(a)
      expect(await a.approvals.list({ userId: 'ada' })).toHaveLength(1)
      await person(b).answer((await person(b).pending(1))[0]!, { action: 'deny' })
      expect(await other).toMatchObject({ outcome: 'denied' })
    },
  )

  test.each(['session', 'always'] as const)(
    'a later call that an approval for "%s" allows is recorded with what allowed it, in the log and in the history [HP-ANS-14]',
    async (approvalScope) => {
      const [a, b] = nodes()
      const first = ask(a, 'one')
      const question = (await person(a).pending(1))[0]!
      await person(a).answer(question, { action: 'approve', approvalScope })
      await first
      await idle(a)
      expect(await ask(b, 'later')).toMatchObject({ outcome: 'approved', remembered: true, args: { id: 'later' } })
      const recorded = (await person(a).events()).filter(({ toolCallId }) => toolCallId === 'later')
      expect(recorded.map(({ type }) => type)).toEqual(['interaction_request', 'interaction_response'])
      expect(recorded[0]).toMatchObject({ prompt: 'later?', args: { id: 'later' } })
      const coveredBy = question.interactionId
      expect(recorded[1]).toMatchObject({ coveredBy, approvalScope, respondedBy: { userId: 'ada' } })
      // A re-run of the call decides alike and is recorded once.
      expect(await ask(a, 'later')).toMatchObject({ outcome: 'approved', remembered: true })
      // The settled ones follow the open ones, of which there are none.
      const { interactions: open, next: after = '' } = await a.interactions.list({ sessionId: 'chat' })
      expect(open).toEqual([])
      const { interactions: settled } = await a.interactions.list({ sessionId: 'chat', after })
      expect(settled.map(({ toolCallId, outcome }) => [toolCallId, outcome]).sort()).toEqual([
        ['later', 'approved'],
        ['one', 'approved'],
      ])
      expect(await a.interactions.list({ userId: 'ada' })).toMatchObject({ interactions: [] })
    },
  )

  test('an approval for always settles the questions of other sessions, one for the session does not', async () => {
    const [a, b] = nodes()
    const elsewhere = ask(b, 'far', { session: 'elsewhere' })
    const here = ask(a, 'near')
    const strangers = ask(b, 'bob', { session: 'of bob', who: BOB })
    await person(b, 'of bob', BOB).pending(1)
    await person(b, 'elsewhere').pending(1)
    await person(a).answer((await person(a).pending(1))[0]!, { action: 'approve', approvalScope: 'session' })
    expect(await here).toMatchObject({ outcome: 'approved' })
    await idle(a)
    expect(await person(b, 'elsewhere').pending(1)).toHaveLength(1)
    const third = ask(a, 'third', { session: 'a third' })
    await person(a, 'a third').answer((await person(a, 'a third').pending(1))[0]!, {
      action: 'approve',
      approvalScope: 'always',
    })
    expect(await third).toMatchObject({ remembered: false })
    expect(await elsewhere).toMatchObject({ outcome: 'approved', scope: 'always', remembered: true })
    await idle(a, 'a third')
    // Another user's question of the same tool and key is not covered.
    const bob = person(b, 'of bob', BOB)
    await bob.answer((await bob.pending(1))[0]!, { action: 'deny' })
    expect(await strangers).toMatchObject({ outcome: 'denied' })
  })

  test('a question that is opened while an approval for always is stored is settled too', async () => {
    const make = place()
    const slow = heldStore(make())
    const [a, b] = [start(make()), start(slow)]
    const first = ask(a, 'first', { session: 'first' })
    const question = (await person(a, 'first').pending(1))[0]!
    // Node B has read that there is no approval, and has not stored its question yet.
    const opens = slow.hold('commit', 'before', ({ puts }) => puts?.some(({ kind }) => kind === 'question') ?? false)
    const late = ask(b, 'late', { session: 'late' })
    await opens.reached
    await person(a, 'first').answer(question, { action: 'approve', approvalScope: 'always' })
    await first
    await idle(a, 'first')
    opens.release()
    expect(await late).toMatchObject({ outcome: 'approved', remembered: true })
  })

  test('an approval that was revoked before its delivery settles nothing', async () => {
    const make = place()
    const slow = heldStore(make())
    const [a, b] = [start(slow), start(make())]
    const first = ask(a, 'first', { session: 'first' })
    const other = ask(b, 'other')
    await person(b).pending(1)
    const question = (await person(a, 'first').pending(1))[0]!
    // The commit that would settle the other question.
    const settles = slow.hold(
      'load',
      'before',
      (refs) => refs.length === 2 && refs.every(({ kind }) => kind === 'remembered'),
    )
    await person(a, 'first').answer(question, { action: 'approve', approvalScope: 'always' })
    await first
    await settles.reached
    expect(await b.approvals.revoke({ userId: 'ada' })).toBe(1)
    settles.release()
    await idle(a, 'first')
    const [still] = await person(b).pending(1)
    await person(b).answer(still!, { action: 'deny' })
    expect(await other).toMatchObject({ outcome: 'denied' })
  })

  test(`of an approval and 50 denials at once, each question has one winner, and a winning denial stays [HP-ANS-13]`, async () => {
    const [a, b] = nodes()
    const random = seeded(20_261)
    let denied = 0
    let covered = 0
    for (let round = 0; round < ROUNDS; round++) {
      const session = `race ${round}`
      const key = { round }
      const ids = Array.from({ length: 56 }, (_, n) => `c${n}`)
      const results = ids.map((id, n) => ask(n % 2 ? a : b, id, { session, key }))
      const questions = await person(a, session).pending(56)
      const first = questions.find(({ toolCallId }) => toolCallId === 'c0')!
      const wins = new Set<string>()
      const deny = async (question: (typeof questions)[number], n: number) => {
        for (let turns = Math.floor(random() * 40); turns > 0; turns--) await new Promise(setImmediate)
        const reply = await person(n % 2 ? a : b, session).answer(question, { action: 'deny' })
        if (reply.status === 200) wins.add(question.toolCallId)
        else expect(reply).toMatchObject({ status: 409, body: { error: { code: 'already_answered' } } })
      }
      const scope = round % 2 ? 'session' : 'always'
      await Promise.all([
        person(a, session).answer(first, { action: 'approve', approvalScope: scope }),
        // Five are left to the approval: on a fast store all of the denials may win.
        ...questions
          .filter((one) => one !== first)
          .slice(5)
          .map(deny),
      ])
      const outcomes = await Promise.all(results)
      for (const [n, { outcome }] of outcomes.entries())
        expect([ids[n], outcome]).toEqual([ids[n], wins.has(ids[n]!) ? 'denied' : 'approved'])
      const events = (await person(a, session).events()).filter(({ type }) => type === 'interaction_response')
      expect(new Set(events.map(({ toolCallId }) => toolCallId)).size).toBe(56)
      expect(events).toHaveLength(56)
      denied += wins.size
      covered += 55 - wins.size
      await idle(a, session)
    }
    // Both sides took part.
    expect({ denied: denied > 0, covered: covered > 0 }).toEqual({ denied: true, covered: true })
  }, 120_000)

  test('a denial that is recorded and not yet concluded stays a denial', async () => {
    const make = place()
    const slow = heldStore(make())
    const [a, b] = [start(slow), start(make())]
    const denied = ask(a, 'denied')
    const first = ask(b, 'first')
    const questions = await person(b).pending(2)
    const of = (id: string) => questions.find(({ toolCallId }) => toolCallId === id)!
    // The process that waits has not written the outcome yet.
    const concludes = slow.hold('commit', 'before', ({ puts }) => puts?.some(({ kind }) => kind === 'ended') ?? false)
    expect(await person(b).answer(of('denied'), { action: 'deny' })).toMatchObject({ status: 200 })
    await concludes.reached
    await person(b).answer(of('first'), { action: 'approve', approvalScope: 'session' })
    expect(await first).toMatchObject({ outcome: 'approved' })
    await idle(b)
    concludes.release()
    expect(await denied).toMatchObject({ outcome: 'denied' })
    expect((await person(a).events()).filter(({ type }) => type === 'interaction_response')).toHaveLength(2)
  })

  test('a deferred question is not settled by a later approval', async () => {
    const holdpoint = start(place()())
    const session = holdpoint.session('chat', ADA)
    const human = testHuman(holdpoint, { ...ADA, present: false })
    await session.toolCall(call('deferred')).requestInteraction({
      ...{ type: 'approval', prompt: 'Later?', whenUnavailable: 'wait', timeoutMs: 10 },
      onResponse: () => ({ complete: 1 }),
      onTimeout: () => ({ pending: { message: 'later' } }),
    })
    const first = ask(holdpoint, 'first')
    const questions = await person(holdpoint).pending(2)
    await person(holdpoint).answer(questions.find(({ toolCallId }) => toolCallId === 'first')!, {
      ...{ action: 'approve', approvalScope: 'session' },
    })
    await first
    await idle(holdpoint)
    expect((await human.waiting()).map(({ toolCallId }) => toolCallId)).toEqual(['deferred'])
  })
}

describe('memory', () =>
  suite(() => {
    const shared = memoryStore()
    return () => ({ ...shared, close: async () => {} })
  }))
await onStores('remembered approvals', ['sqlite', 'postgres', 'redis'], (world) =>
  suite(() => {
    const { store } = world()
    return () => openStore(store)
  }),
)
