import { describe, expect, test } from 'vitest'
import { createFetch } from '../../src/http/create-fetch.ts'
import { appOf, engineOf } from '../../src/http/mounted.ts'
import { ADA, BOB, open, person, stores } from './support/world.ts'

describe.each(stores)('%s: sessions', (_name, makeStore) => {
  test('a session is returned to its owner, and is not found by another user or tenant', async () => {
    const holdpoint = open({ store: makeStore() })
    await holdpoint.session('chat', ADA).emit({ type: 'content', text: 'hello' })
    const get = (principal: { userId: string; tenant?: string }, sessionId = 'chat') =>
      holdpoint.sessions.get({ principal, sessionId })
    // Nothing of the stored row shows besides whose session it is.
    expect(await get(ADA)).toEqual({ tenant: '', sessionId: 'chat', userId: 'ada' })
    expect(await get(BOB)).toBeNull()
    expect(await get({ ...ADA, tenant: 'other' })).toBeNull()
    expect(await get(ADA, 'nothing')).toBeNull()
  })

  test('the sessions of a user are listed page by page, and only these', async () => {
    const holdpoint = open({ store: makeStore() })
    for (let n = 0; n < 7; n++) await holdpoint.session(`chat-${n}`, ADA).emit({ type: 'content', text: 'hello' })
    await holdpoint.session('chat-of-bob', BOB).emit({ type: 'content', text: 'hello' })
    await holdpoint.session('elsewhere', { ...ADA, tenant: 'other' }).emit({ type: 'content', text: 'hello' })
    const found: string[] = []
    let after: string | undefined
    do {
      const page = await holdpoint.sessions.list({ ...ADA, limit: 3, ...(after && { after }) })
      expect(page.sessions.length).toBeLessThanOrEqual(3)
      found.push(...page.sessions.map(({ sessionId }) => sessionId))
      after = page.next
    } while (after)
    expect(found.sort()).toEqual(Array.from({ length: 7 }, (_, n) => `chat-${n}`))
    expect(await holdpoint.sessions.list({ userId: 'ada', tenant: 'other' })).toEqual({
      sessions: [{ tenant: 'other', sessionId: 'elsewhere', userId: 'ada' }],
    })
  })

  test('cancelRun cancels a run for an authorized user, and returns false for any other', async () => {
    const holdpoint = open({ store: makeStore() })
    const outcome = holdpoint
      .session('chat', ADA)
      .toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' })
      .tryApprove({ prompt: 'Go?' })
    await person(holdpoint).next()
    const cancel = (principal: { userId: string }, runId = 'run-1') =>
      holdpoint.cancelRun({ principal, sessionId: 'chat', runId })
    expect(await cancel(BOB)).toBe(false)
    expect(await cancel(ADA, 'run-2')).toBe(false)
    expect((await holdpoint.interactions.list({ sessionId: 'chat' })).interactions).toMatchObject([{ status: 'open' }])
    expect(await cancel(ADA)).toBe(true)
    expect(await outcome).toMatchObject({ outcome: 'cancelled' })
  })
})

test('an object that is not a Holdpoint is rejected with not_a_holdpoint, and the app is not a visible property', () => {
  const holdpoint = open({})
  expect(Object.keys(holdpoint.fetch)).toEqual([])
  expect(appOf(holdpoint).engine).toBe(engineOf(holdpoint))
  const wrapped = { fetch: (request: Request) => holdpoint.fetch(request) }
  for (const given of [wrapped, {}, { fetch }]) {
    expect(() => appOf(given as never)).toThrow(expect.objectContaining({ code: 'not_a_holdpoint' }))
  }
  // A result of createFetch is recognized, also by another copy of this package.
  expect(appOf({ fetch: createFetch(engineOf(holdpoint)) }).engine).toBe(engineOf(holdpoint))
})
