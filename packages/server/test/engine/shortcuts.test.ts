import type { Refused, ToolContext } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { ADA, BOB, call, open, person } from './support/world.ts'

function world() {
  const holdpoint = open({ store: memoryStore() })
  const session = holdpoint.session('chat', ADA)
  let calls = 0
  const ctx = (toolName = 'delete_files') => session.toolCall(call(`call-${++calls}`, 'run-1', toolName))
  return { holdpoint, session, human: testHuman(holdpoint, ADA), ada: person(holdpoint), ctx }
}

describe('approve', () => {
  test('edited arguments of ctx.approve({ schema }) are recorded as the tool gets them', async () => {
    const { ctx, human, ada } = world()
    const schema = z.object({ files: z.array(z.string()), dry: z.boolean().default(true) })
    const asked = { files: ['a'], dry: false }
    const approved = ctx().approve({ prompt: 'Delete?', args: asked, editable: true, schema })
    await human.approve(await human.next(), { args: { files: ['b'], force: true } })
    const ran = (await approved).args
    expect(ran).toEqual({ files: ['b'], dry: true })
    const answered = (await ada.events()).find(({ type }) => type === 'interaction_response')
    expect(answered).toMatchObject({ args: ran })
    expect(answered?.args).toEqual(ran)
  })

  test('validates edited arguments with the schema, records both versions and sets the scope to once [T28.1]', async () => {
    const { ctx, human, ada } = world()
    const schema = z.object({ to: z.email(), amount: z.number().max(100) })
    const asked = { to: 'a@example.com', amount: 50 }
    const seen: unknown[] = []
    const approved = ctx().approve({
      prompt: 'Pay?',
      args: asked,
      editable: true,
      schema,
      scopes: ['once', 'always'],
      rememberAs: ({ to }) => ['pay', to],
      policy: ({ amount }) => {
        seen.push(amount)
        return amount > 80 ? 'More than 80 needs a second signature.' : true
      },
    })
    const first = await human.next()
    await human.approve(first, { args: { to: 'b@example.com', amount: 500 } })
    const second = await human.next()
    expect(second.request).toMatchObject({
      args: asked,
      draftArgs: { to: 'b@example.com', amount: 500 },
      fieldErrors: { amount: [expect.any(String)] },
      replaces: first.interactionId,
    })
    await human.approve(second, { args: { to: 'b@example.com', amount: 90 } })
    const third = await human.next()
    expect(third.request).toMatchObject({ error: 'More than 80 needs a second signature.' })
    await human.approve(third, { args: { to: 'b@example.com', amount: 60 } })
    expect(await approved).toMatchObject({ args: { to: 'b@example.com', amount: 60 }, edited: true, scope: 'once' })
    expect(seen).toEqual([90, 60])
    const log = await ada.events()
    expect(log.find(({ type }) => type === 'interaction_request')).toMatchObject({ args: asked })
    expect(log.findLast(({ type }) => type === 'interaction_response')).toMatchObject({ args: { amount: 60 } })
    // Neither what was asked nor what it became is remembered.
    for (const to of ['a@example.com', 'b@example.com']) {
      const again = ctx().tryApprove({ prompt: 'Pay?', rememberAs: ['pay', to] })
      await human.deny(await human.next())
      expect(await again).toMatchObject({ outcome: 'denied' })
    }
  })

  test.each(['session', 'always'] as const)('does not remember edited arguments for %s [T28.2]', async (scope) => {
    const { holdpoint, ctx, human } = world()
    const approved = ctx().approve({
      prompt: 'Pay?',
      args: { amount: 50 },
      editable: true,
      scopes: ['once', scope],
      rememberAs: ['pay'],
    })
    const question = await human.next()
    const wider = human.approve(question, { args: { amount: 60 }, approvalScope: scope })
    await expect(wider).rejects.toMatchObject({ code: 'scope_not_offered' })
    await human.approve(question, { args: { amount: 60 } })
    expect(await approved).toMatchObject({ edited: true, scope: 'once' })
    // An approval for always leaves through the outbox.
    await holdpoint.tick()
    expect(await holdpoint.approvals.list(ADA)).toEqual([])
  })

  test('rejects edited arguments if the question is not editable [T28.3]', async () => {
    const { ctx, human } = world()
    const approved = ctx().approve({ prompt: 'Pay?', args: { amount: 1 } })
    const question = await human.next()
    await expect(human.approve(question, { args: { amount: 1_000 } })).rejects.toMatchObject({
      code: 'action_not_allowed',
    })
    await human.approve(question, { args: { amount: 1 } })
    expect(await approved).toMatchObject({ edited: false, args: { amount: 1 } })
  })

  test('remembers an approval by key for the session and for the user [T3.1]', async () => {
    const { holdpoint, session, human, ctx } = world()
    const scopes = ['once', 'session', 'always'] as const
    for (const scope of scopes) {
      const first = ctx().approve({ prompt: scope, rememberAs: [scope], scopes })
      await human.approve(await human.next(), { approvalScope: scope })
      await first
    }
    expect(await ctx().approve({ prompt: '?', rememberAs: ['session'] })).toMatchObject({
      scope: 'session',
      remembered: true,
    })
    expect(await ctx().approve({ prompt: '?', rememberAs: ['always'] })).toMatchObject({
      scope: 'always',
      remembered: true,
    })
    const asks = async (asked: Promise<{ outcome: string }>, who = human) => {
      await who.deny(await who.next())
      expect(await asked).toMatchObject({ outcome: 'denied' })
    }
    await asks(ctx().tryApprove({ prompt: '?', rememberAs: ['once'] }))
    // Another key, another tool, another session, another user: none of them profits.
    await asks(ctx().tryApprove({ prompt: '?', rememberAs: ['always', 'and more'] }))
    await asks(ctx('format_disk').tryApprove({ prompt: '?', rememberAs: ['always'] }))
    const elsewhere = holdpoint.session('other', ADA).toolCall(call())
    await asks(elsewhere.tryApprove({ prompt: '?', rememberAs: ['session'] }))
    expect(
      await holdpoint
        .session('other', ADA)
        .toolCall(call('2'))
        .tryApprove({ prompt: '?', rememberAs: ['always'] }),
    ).toMatchObject({
      remembered: true,
    })
    const bob = testHuman(holdpoint, BOB)
    await asks(
      holdpoint
        .session('bobs', BOB)
        .toolCall(call())
        .tryApprove({ prompt: '?', rememberAs: ['always'] }),
      bob,
    )
    const otherTenant = { ...ADA, tenant: 'acme' }
    const stranger = testHuman(holdpoint, otherTenant)
    await asks(
      holdpoint
        .session('chat', otherTenant)
        .toolCall(call())
        .tryApprove({ prompt: '?', rememberAs: ['always'] }),
      stranger,
    )
    expect(session.userId).toBe('ada')
  })

  test('lists and revokes remembered approvals', async () => {
    const { holdpoint, human, ctx } = world()
    for (const scope of ['session', 'always'] as const) {
      const first = ctx().approve({ prompt: scope, rememberAs: { what: scope }, scopes: ['session', 'always'] })
      await human.approve(await human.next(), { approvalScope: scope })
      await first
    }
    const listed = await holdpoint.approvals.list(ADA)
    expect(listed.map(({ key, scope, toolName, sessionId }) => [key, scope, toolName, sessionId])).toEqual(
      expect.arrayContaining([
        [{ what: 'session' }, 'session', 'delete_files', 'chat'],
        [{ what: 'always' }, 'always', 'delete_files', undefined],
      ]),
    )
    expect(await holdpoint.approvals.list(BOB)).toEqual([])
    expect(await ctx().approvals.list()).toHaveLength(2)
    expect(await holdpoint.approvals.revoke({ ...ADA, toolName: 'delete_files', key: { what: 'always' } })).toBe(1)
    expect(await holdpoint.approvals.revoke(ADA)).toBe(1)
    expect(await holdpoint.approvals.list(ADA)).toEqual([])
    const again = ctx().tryApprove({ prompt: '?', rememberAs: { what: 'always' } })
    await human.deny(await human.next())
    expect(await again).toMatchObject({ outcome: 'denied' })
  })

  test('returns the decisions about a diff with the approval', async () => {
    const { ctx, human } = world()
    const hunks = [{ id: 'h1', oldStart: 1, newStart: 1, lines: ['-a', '+b'] }]
    const approved = ctx().approve({ prompt: 'Apply?', diff: [{ path: 'a.txt', hunks }] })
    await human.approve(await human.next(), { diffDecisions: { h1: 'reject' } })
    expect(await approved).toMatchObject({ diffDecisions: { h1: 'reject' } })
  })
})

describe('ask', () => {
  test('asks again if a rule of the schema fails that no field can express, and keeps the input', async () => {
    const { ctx, human } = world()
    const schema = z
      .object({ from: z.int(), to: z.int() })
      .refine(({ from, to }) => from < to, { message: 'From must lie before to.' })
      .refine(async ({ from }) => from !== 13, { message: 'Unlucky.', path: ['from'] })
    const asked = ctx().ask({ prompt: 'Range?', schema })
    const first = await human.next()
    await human.fill(first, { from: 9, to: 3 })
    const second = await human.next()
    expect(second.request).toMatchObject({ error: 'From must lie before to.', initialValues: { from: 9, to: 3 } })
    await human.fill(second, { from: 13, to: 20 })
    const third = await human.next()
    expect(third.request).toMatchObject({ fieldErrors: { from: ['Unlucky.'] } })
    await human.fill(third, { from: 1, to: 2 })
    expect(await asked).toEqual({ from: 1, to: 2 })
  })

  test('returns the output of the schema: defaults, numbers, transformed text', async () => {
    const { ctx, human } = world()
    const asked = ctx().ask({
      schema: z.object({ name: z.string().transform((name) => name.length), n: z.int().default(7) }),
    })
    await human.fill(await human.next(), { name: 'Ada' })
    const value = await asked
    expectTypeOf(value).toEqualTypeOf<{ name: number; n: number }>()
    expect(value).toEqual({ name: 3, n: 7 })
  })

  test('accepts the flat JSON Schema of MCP', async () => {
    const { ctx, human } = world()
    const asked = ctx().ask({
      jsonSchema: { type: 'object', properties: { n: { type: 'integer', title: 'N' } }, required: ['n'] },
    })
    await human.fill(await human.next(), { n: 5 })
    expect(await asked).toEqual({ n: 5 })
  })

  test('keeps the question open on every surface while a required consent is not checked', async () => {
    const { ctx, human } = world()
    const asked = ctx().ask({ prompt: 'Do you agree?', schema: z.object({ agreed: z.literal(true) }) })
    const question = await human.next()
    await expect(human.fill(question, { agreed: false })).rejects.toMatchObject({
      details: { fieldErrors: { agreed: ['This must be ticked.'] } },
    })
    await human.fill(question, { agreed: true })
    expect(await asked).toEqual({ agreed: true })
  })

  test('returns each outcome as a value in the try variants', async () => {
    const { ctx, human, session } = world()
    const fields = [{ id: 'x', type: 'text', label: 'X' }] as const
    const ended = async (end: (question: Awaited<ReturnType<typeof human.next>>) => unknown, timeoutMs = 60_000) => {
      const asked = ctx().tryAsk({ fields, timeoutMs })
      await end(await human.next())
      return await asked
    }
    expect(await ended((question) => human.fill(question, { x: 'y' }))).toMatchObject({
      outcome: 'submitted',
      input: { x: 'y' },
    })
    expect(await ended((question) => human.decline(question, 'no'))).toEqual({ outcome: 'declined', reason: 'no' })
    expect(await ended((question) => human.cancel(question))).toEqual({ outcome: 'cancelled' })
    expect(await ended((question) => human.ignore(question), 20)).toEqual({ outcome: 'expired' })
    expect(await ended(() => session.declineWaiting())).toEqual({ outcome: 'superseded', reason: 'declined' })
  })
})

test('the result types of approve, ask and requestInteraction follow their options', () => {
  const types = async (ctx: ToolContext) => {
    const asked = await ctx.ask({ fields: [{ id: 'n', type: 'number', label: 'N', required: true }] })
    expectTypeOf(asked).toEqualTypeOf<{ n: number }>()
    const tried = await ctx.tryApprove({ prompt: '?', args: { files: ['a'] } })
    if (tried.outcome === 'approved') expectTypeOf(tried.args).toEqualTypeOf<{ files: string[] }>()
    else expectTypeOf(tried).toEqualTypeOf<Refused>()
    const handled = await ctx.requestInteraction({
      type: 'input',
      inputSchema: { type: 'form', fields: [{ id: 'a', type: 'checkbox', label: 'A', required: true }] },
      onResponse: (response) => {
        if (response.action !== 'submit') return { pending: { message: 'later' } }
        expectTypeOf(response.input.a).toEqualTypeOf<boolean>()
        return response.input.a ? { complete: 'yes' as const } : { reprompt: { error: 'Please agree.' } }
      },
      onTimeout: () => ({ complete: 0 }),
    })
    expectTypeOf(handled).toEqualTypeOf<'yes' | number | { pending: true; queued: boolean; message: string }>()
    const { slack } = await ctx.connect({ integrations: ['slack', 'gmail'] })
    expectTypeOf(slack.token).returns.resolves.toBeString()
    // @ts-expect-error: it was not requested
    void (await ctx.connect({ integrations: ['slack'] })).gmail
    // @ts-expect-error: an approval has no input
    void ctx.requestInteraction({ type: 'approval', onResponse: (response) => ({ complete: response.input.x }) })
  }
  expect(types).toBeTypeOf('function')
})
