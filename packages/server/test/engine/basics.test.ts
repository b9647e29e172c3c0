import { InteractionRefused } from '@holdpoint/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, BOB, call, open, person, stores } from './support/world.ts'

describe.each(stores)('%s', (_name, makeStore) => {
  test('an approval reaches the user, and its outcome reaches the tool', async () => {
    const holdpoint = open({ store: makeStore() })
    const ada = person(holdpoint)
    const ctx = holdpoint.session('chat', ADA).toolCall(call())
    const result = ctx.requestInteraction({
      type: 'approval',
      prompt: 'Delete 3 files?',
      whenUnavailable: 'wait',
      onResponse: (response) => ({ complete: { ok: response.action === 'approve', scope: response.approvalScope } }),
    })
    const question = await ada.next()
    expect(question).toMatchObject({ type: 'interaction_request', prompt: 'Delete 3 files?', attempt: 1 })
    expect(await ada.answer(question, { action: 'approve', approvalScope: 'session' })).toMatchObject({
      status: 200,
      body: { status: 'accepted' },
    })
    expect(await result).toEqual({ ok: true, scope: 'session' })
    expect((await ada.events()).map(({ type, status }) => status ?? type)).toEqual([
      'interaction_request',
      'awaiting_approval',
      'interaction_response',
      'running',
    ])
  })

  test('a reprompt keeps the handlers and the input, and has a new id and the error', async () => {
    const holdpoint = open({ store: makeStore() })
    const ada = person(holdpoint)
    const ctx = holdpoint.session('chat', ADA).toolCall(call())
    const result = ctx.requestInteraction({
      type: 'input',
      whenUnavailable: 'wait',
      inputSchema: { type: 'form', fields: [{ id: 'email', type: 'text', label: 'E-mail', required: true }] },
      onResponse: (response) => {
        if (response.action !== 'submit') return { complete: null }
        if (!response.input.email.includes('@')) return { reprompt: { error: 'Not an address' } }
        return { complete: response.input.email }
      },
    })
    const first = await ada.next()
    await ada.answer(first, { action: 'submit', input: { email: 'ada' } })
    const second = await ada.next()
    expect(second).toMatchObject({
      attempt: 2,
      replaces: first.interactionId,
      error: 'Not an address',
      initialValues: { email: 'ada' },
    })
    expect(second.interactionId).not.toBe(first.interactionId)
    await ada.answer(second, { action: 'submit', input: { email: 'ada@example.com' } })
    expect(await result).toBe('ada@example.com')
  })

  test('an unanswered question expires: onTimeout decides, and without it the promise rejects', async () => {
    const holdpoint = open({ store: makeStore() })
    const session = holdpoint.session('chat', ADA)
    const onResponse = () => ({ complete: 'answered' })
    const base = { type: 'approval', whenUnavailable: 'wait', timeoutMs: 20, onResponse } as const
    const decided = session.toolCall(call('a')).requestInteraction({ ...base, onTimeout: () => ({ complete: 'late' }) })
    expect(await decided).toBe('late')
    const refused = session.toolCall(call('b')).requestInteraction(base)
    await expect(refused).rejects.toMatchObject({ name: 'InteractionRefused', outcome: 'expired' })
    const reasons = (await person(holdpoint).events()).filter(({ type }) => type === 'interaction_closed')
    expect(reasons.map(({ reason }) => reason)).toEqual(['expired', 'expired'])
  })

  test('cancelling a run ends its questions, calls onCancel and aborts the signal', async () => {
    const holdpoint = open({ store: makeStore() })
    const session = holdpoint.session('chat', ADA)
    const ctx = session.toolCall(call())
    let told = 0
    const result = ctx.requestInteraction({
      type: 'approval',
      whenUnavailable: 'wait',
      onResponse: () => ({ complete: true }),
      onCancel: () => void told++,
    })
    const question = await person(holdpoint).next()
    await session.cancelRun('run-1')
    await expect(result).rejects.toBeInstanceOf(InteractionRefused)
    expect(told).toBe(1)
    expect(ctx.signal.aborted).toBe(true)
    expect(await person(holdpoint).answer(question, { action: 'approve' })).toMatchObject({ status: 410 })
    await expect(session.toolCall(call('later')).approve({ prompt: 'More?' })).rejects.toMatchObject({
      outcome: 'cancelled',
    })
  })

  test('approve and ask resolve only if the user agrees', async () => {
    const holdpoint = open({ store: makeStore() })
    const ada = person(holdpoint)
    const session = holdpoint.session('chat', ADA)
    const files = ['a', 'b']
    const approved = session.toolCall(call('a')).approve({ prompt: 'Delete?', args: { files } })
    await ada.answer(await ada.next(), { action: 'approve' })
    expect(await approved).toMatchObject({ args: { files }, edited: false, scope: 'once' })

    const denied = session.toolCall(call('b')).approve({ prompt: 'Delete?' })
    await ada.answer(await ada.next(), { action: 'deny', reason: 'not those' })
    await expect(denied).rejects.toMatchObject({ outcome: 'denied', reason: 'not those' })

    const asked = session
      .toolCall(call('c'))
      .ask({ prompt: 'Where to?', schema: z.object({ email: z.email(), copies: z.int().min(1).default(1) }) })
    const form = await ada.next()
    expect(await ada.answer(form, { action: 'submit', input: { email: 'nowhere' } })).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_input', fieldErrors: { email: [expect.any(String)] } } },
    })
    await ada.answer(form, { action: 'submit', input: { email: 'ada@example.com' } })
    expect(await asked).toEqual({ email: 'ada@example.com', copies: 1 })

    const declined = session.toolCall(call('d')).tryAsk({ fields: [{ id: 'x', type: 'text', label: 'X' }] })
    await ada.answer(await ada.next(), { action: 'decline' })
    expect(await declined).toEqual({ outcome: 'declined' })
  })

  test('a session belongs to the first user who uses it', async () => {
    const holdpoint = open({ store: makeStore() })
    await holdpoint.session('chat', ADA).emit({ type: 'content', text: 'hello' })
    const foreign = holdpoint.session('chat', BOB).toolCall(call()).approve({ prompt: 'Mine?' })
    await expect(foreign).rejects.toMatchObject({ code: 'session_owner_mismatch' })
    expect(await engineOf(holdpoint).access(BOB, 'chat', 'read')).toBeNull()
  })

  test('the result of a finished call is returned to the user of its session only', async () => {
    const holdpoint = open({ store: makeStore() })
    const read = holdpoint.tool({ name: 'read_mail', input: z.object({}), execute: () => 'a letter to Ada' })
    const ids = { runId: 'run-1', toolCallId: 'call-1' }
    await holdpoint.session('chat', ADA).runTool(read, {}, ids)
    const foreign = holdpoint.session('chat', BOB).runTool(read, {}, ids)
    await expect(foreign).rejects.toMatchObject({ code: 'session_owner_mismatch' })
  })
})
