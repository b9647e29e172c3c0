import { shownDigest } from '@holdpoint/core/wire'
import { describe, expect, test } from 'vitest'
import type { AnswerOptions } from '../../src/engine/api/interactions.ts'
import { ADA, BOB, call, open, person, stores } from './support/world.ts'

const FROM_SLACK = { principal: ADA, sessionId: 'chat', clientId: 'slack:T024:U17' } as const

describe.each(stores)('%s: holdpoint.answer', (_name, makeStore) => {
  async function asked() {
    const holdpoint = open({ store: makeStore() })
    const outcome = holdpoint
      .session('chat', ADA)
      .toolCall(call())
      .tryApprove({ prompt: 'Go?', args: { files: ['a'] } })
    const question = await person(holdpoint).next()
    const { interactionId } = question
    const answer = (options: Partial<AnswerOptions>) =>
      holdpoint.answer({
        ...FROM_SLACK,
        interactionId,
        answerId: 'a1',
        answer: { action: 'approve', shownDigest: shownDigest(question as never) },
        ...options,
      })
    return { holdpoint, outcome, interactionId, answer }
  }

  test('an answer from code settles the interaction, and its repeat is accepted again', async () => {
    const { answer, outcome, holdpoint, interactionId } = await asked()
    expect(await answer({})).toEqual({ status: 'accepted' })
    expect(await outcome).toMatchObject({ outcome: 'approved', args: { files: ['a'] } })
    expect(await answer({})).toEqual({ status: 'accepted', replayed: true })
    expect(await holdpoint.interactions.get({ interactionId, sessionId: 'chat' })).toMatchObject({
      status: 'answered',
      answer: { action: 'approve', by: { userId: 'ada', clientId: 'slack:T024:U17' } },
    })
  })

  test('of fifty answers from code at once, one wins and the others learn which', async () => {
    const { answer, outcome } = await asked()
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => answer({ answerId: `a${nth}`, clientId: `c${nth}` })),
    )
    expect(outcomes.filter(({ status }) => status === 'accepted')).toHaveLength(1)
    const winner = outcomes.findIndex(({ status }) => status === 'accepted')
    for (const refused of outcomes.filter(({ status }) => status === 'refused')) {
      expect(refused).toMatchObject({ code: 'already_answered', respondedBy: { clientId: `c${winner}` } })
    }
    await outcome
  })

  test('an answer from code is refused with the codes of HTTP, and the interaction stays open', async () => {
    const { answer, holdpoint, interactionId } = await asked()
    expect(await answer({ principal: BOB })).toMatchObject({ status: 'refused', code: 'not_found' })
    expect(await answer({ principal: { ...ADA, tenant: 'other' } })).toMatchObject({ code: 'not_found' })
    expect(await answer({ interactionId: 'nothing' })).toMatchObject({ code: 'unknown_interaction' })
    const submit = { action: 'submit', input: {} } as const
    expect(await answer({ answer: submit })).toMatchObject({ code: 'invalid_message' })
    const shown = shownDigest((await holdpoint.interactions.get({ interactionId }))?.request as never)
    expect(await answer({ answer: { ...submit, shownDigest: shown } })).toMatchObject({ code: 'action_not_allowed' })
    expect(await answer({ answerId: 'line\nbreak' })).toMatchObject({ code: 'invalid_message' })
    expect(await answer({ answer: { action: 'deny', reason: 'x'.repeat(5_000) } })).toMatchObject({ status: 'refused' })
    expect(await holdpoint.interactions.get({ interactionId })).toMatchObject({ status: 'open' })
  })

  test('code that fills in a form names the form that it read [HP-SHN-1] [HP-SHN-2]', async () => {
    const holdpoint = open({ store: makeStore() })
    const fields = [{ id: 'to', type: 'text', label: 'To' }] as const
    const asking = holdpoint.session('chat', ADA).toolCall(call()).ask({ prompt: 'Recipient?', fields })
    const question = await person(holdpoint).next()
    const fill = (shown: object) =>
      holdpoint.answer({
        ...FROM_SLACK,
        interactionId: question.interactionId,
        answerId: 'a1',
        answer: { action: 'submit', input: { to: 'ada' }, ...shown },
      })
    expect(await fill({})).toMatchObject({ status: 'refused', code: 'invalid_message' })
    expect(await fill({ shownDigest: 'of another form' })).toMatchObject({ status: 'refused', code: 'shown_differs' })
    expect(await fill({ shownDigest: shownDigest(question as never) })).toEqual({ status: 'accepted' })
    expect(await asking).toEqual({ to: 'ada' })
  })
})

describe.each(stores)('%s: holdpoint.interactions', (_name, makeStore) => {
  async function world() {
    const holdpoint = open({ store: makeStore() })
    const ask = (
      sessionId: string,
      owner: { userId: string; tenant?: string },
      toolName: string,
      audience?: string[],
    ) =>
      void holdpoint
        .session(sessionId, owner)
        .toolCall({ runId: 'run-1', toolCallId: `${sessionId}-${toolName}`, toolName })
        .tryApprove({ prompt: toolName, ...(audience && { audience }) })
    ask('chat', ADA, 'delete_files')
    ask('chat', ADA, 'send_mail')
    ask('other', BOB, 'delete_files', ['ada'])
    ask('foreign', { userId: 'ada', tenant: 't2' }, 'delete_files')
    await person(holdpoint, 'chat', ADA).pending(2)
    await person(holdpoint, 'other', BOB).pending(1)
    await person(holdpoint, 'foreign', { userId: 'ada', tenant: 't2' } as { userId: string }).pending(1)
    const names = async (filter?: Parameters<typeof holdpoint.interactions.list>[0]) =>
      (await holdpoint.interactions.list(filter)).interactions
        .map(({ sessionId, toolName }) => `${sessionId}/${toolName}`)
        .sort()
    return { holdpoint, names }
  }

  test('a list without a session contains the pending interactions of the tenant', async () => {
    const { names } = await world()
    expect(await names()).toEqual(['chat/delete_files', 'chat/send_mail', 'other/delete_files'])
    expect(await names({ tenant: 't2' })).toEqual(['foreign/delete_files'])
  })

  test('a list of a user contains the interactions that the user may answer', async () => {
    const { names } = await world()
    expect(await names({ userId: 'ada' })).toEqual(['chat/delete_files', 'chat/send_mail', 'other/delete_files'])
    expect(await names({ userId: 'bob' })).toEqual(['other/delete_files'])
  })

  test('filters select by tool, status, kind and age', async () => {
    const { names } = await world()
    expect(await names({ toolName: 'send_mail' })).toEqual(['chat/send_mail'])
    expect(await names({ status: ['deferred', 'expired'] })).toEqual([])
    expect(await names({ kind: 'input' })).toEqual([])
    expect(await names({ olderThanMs: 60_000 })).toEqual([])
    expect(await names({ olderThanMs: 0, toolName: 'send_mail' })).toEqual(['chat/send_mail'])
  })

  test('a list of a session contains settled interactions too, page by page', async () => {
    const { holdpoint } = await world()
    const [{ interactionId } = { interactionId: '' }] = await person(holdpoint).pending(2)
    await holdpoint.answer({ ...FROM_SLACK, interactionId, answerId: 'a', answer: { action: 'deny' } })
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = await holdpoint.interactions.list({ sessionId: 'chat', limit: 1, ...(after && { after }) })
      seen.push(...page.interactions.map(({ status }) => status))
      after = page.next
    } while (after)
    expect(seen).toHaveLength(2)
    expect(seen[0]).toBe('open')
    expect(await holdpoint.interactions.get({ interactionId })).toBeNull()
    expect(await holdpoint.interactions.get({ interactionId, sessionId: 'chat' })).not.toBeNull()
  })
})
